/** The first-party plugin that takes workbooks apart. */
@NullMarked
package io.fengyu.agent.tool.excel;

import org.jspecify.annotations.NullMarked;
