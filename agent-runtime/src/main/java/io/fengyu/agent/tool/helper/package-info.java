/** Small tools that only compute: they hold a workflow together and make it testable. */
@NullMarked
package io.fengyu.agent.tool.helper;

import org.jspecify.annotations.NullMarked;
