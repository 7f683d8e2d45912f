/** The inbox of open gates. */
@NullMarked
package io.fengyu.agent.approval;

import org.jspecify.annotations.NullMarked;
