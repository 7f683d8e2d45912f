/** The journal: the ordered, durable list of a run's events, and everything read back from it. */
@NullMarked
package io.fengyu.agent.journal;

import org.jspecify.annotations.NullMarked;
