/** Tests. */
@org.jspecify.annotations.NullMarked
package io.fengyu.agent.tool.command;
