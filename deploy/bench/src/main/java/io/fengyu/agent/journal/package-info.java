/** A look at the journal from inside its package, since nobody else may hold it in the hand. */
@NullMarked
package io.fengyu.agent.journal;

import org.jspecify.annotations.NullMarked;
