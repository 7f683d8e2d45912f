/** Reads the text of a shell command: what it would run, and how far that can be told. */
@NullMarked
package io.fengyu.agent.guard.shell;

import org.jspecify.annotations.NullMarked;
