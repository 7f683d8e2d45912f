/** What a package may hold, read without trusting it. */
@NullMarked
package io.fengyu.agent.plugin.archive;

import org.jspecify.annotations.NullMarked;
