/** Which processes of a service are alive. */
@NullMarked
package io.fengyu.contract.instance;

import org.jspecify.annotations.NullMarked;
