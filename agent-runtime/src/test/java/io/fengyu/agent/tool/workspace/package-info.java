@NullMarked
package io.fengyu.agent.tool.workspace;

import org.jspecify.annotations.NullMarked;
