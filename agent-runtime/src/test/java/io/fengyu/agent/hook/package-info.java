/** Tests of hooks. */
@org.jspecify.annotations.NullMarked
package io.fengyu.agent.hook;
