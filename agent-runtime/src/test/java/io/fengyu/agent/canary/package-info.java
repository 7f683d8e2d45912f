/** A search for secrets in all that the service keeps, says and hands to children. */
@org.jspecify.annotations.NullMarked
package io.fengyu.agent.canary;
