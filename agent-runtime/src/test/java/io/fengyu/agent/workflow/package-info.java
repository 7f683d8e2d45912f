/** Stories of workflows that are called as tools. */
@NullMarked
package io.fengyu.agent.workflow;

import org.jspecify.annotations.NullMarked;
