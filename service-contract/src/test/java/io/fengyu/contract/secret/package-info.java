/** What is sealed opens for its purpose only. */
@NullMarked
package io.fengyu.contract.secret;

import org.jspecify.annotations.NullMarked;
