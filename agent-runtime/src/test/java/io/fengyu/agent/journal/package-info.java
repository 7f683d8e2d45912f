/** The journal over a real Postgres. */
@NullMarked
package io.fengyu.agent.journal;

import org.jspecify.annotations.NullMarked;
