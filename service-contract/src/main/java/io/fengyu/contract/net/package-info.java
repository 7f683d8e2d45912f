/** Where a request comes from, and what every answer carries. */
@NullMarked
package io.fengyu.contract.net;

import org.jspecify.annotations.NullMarked;
