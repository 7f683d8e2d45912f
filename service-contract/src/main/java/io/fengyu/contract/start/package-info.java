/** One start for one key: repeated calls that start work get the first answer again. */
@NullMarked
package io.fengyu.contract.start;

import org.jspecify.annotations.NullMarked;
