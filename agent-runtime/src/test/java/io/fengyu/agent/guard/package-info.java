/** Tests of the guard: its reading of shell text, its rules, and stories over HTTP. */
@org.jspecify.annotations.NullMarked
package io.fengyu.agent.guard;
