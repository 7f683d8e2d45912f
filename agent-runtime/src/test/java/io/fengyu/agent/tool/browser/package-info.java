/** Tests of the browser's tools. */
@NullMarked
package io.fengyu.agent.tool.browser;

import org.jspecify.annotations.NullMarked;
