/** Tests of the reading of shell text. */
@org.jspecify.annotations.NullMarked
package io.fengyu.agent.guard.shell;
