/** Asks the owner's model, through chat-service. */
@NullMarked
package io.fengyu.agent.model;

import org.jspecify.annotations.NullMarked;
