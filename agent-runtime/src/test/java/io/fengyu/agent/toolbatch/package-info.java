/** Tests of tool calls outside of runs. */
@org.jspecify.annotations.NullMarked
package io.fengyu.agent.toolbatch;
