/** Files: uploads, grants, a run's workspace, and what a run made. */
@NullMarked
package io.fengyu.agent.file;

import org.jspecify.annotations.NullMarked;
