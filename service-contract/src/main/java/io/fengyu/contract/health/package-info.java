/** Whether a process lives, and whether it can work. */
@NullMarked
package io.fengyu.contract.health;

import org.jspecify.annotations.NullMarked;
