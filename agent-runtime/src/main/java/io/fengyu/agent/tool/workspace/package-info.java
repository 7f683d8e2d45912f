/** Tools that read and change files inside of a run's workspace, and nothing outside of it. */
@NullMarked
package io.fengyu.agent.tool.workspace;

import org.jspecify.annotations.NullMarked;
