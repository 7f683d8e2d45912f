/** Tools, nodes and hooks that come in packages, and the processes that serve them. */
@NullMarked
package io.fengyu.agent.plugin;

import org.jspecify.annotations.NullMarked;
