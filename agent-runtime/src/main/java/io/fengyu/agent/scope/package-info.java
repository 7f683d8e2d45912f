/** Which data a conversation may work on, and what its tools have confirmed about it. */
@NullMarked
package io.fengyu.agent.scope;

import org.jspecify.annotations.NullMarked;
