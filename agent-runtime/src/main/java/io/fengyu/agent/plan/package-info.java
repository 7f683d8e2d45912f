/** Lets a model make the plan of a run. */
@NullMarked
package io.fengyu.agent.plan;

import org.jspecify.annotations.NullMarked;
