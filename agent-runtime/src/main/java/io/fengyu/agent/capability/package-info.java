/** What the whole installation can do, for clients that enable their buttons by it. */
@NullMarked
package io.fengyu.agent.capability;

import org.jspecify.annotations.NullMarked;
