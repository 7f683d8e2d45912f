@org.jspecify.annotations.NullMarked
package io.fengyu.agent.turn;
