/** Tests of which data a conversation may work on. */
@org.jspecify.annotations.NullMarked
package io.fengyu.agent.scope;
