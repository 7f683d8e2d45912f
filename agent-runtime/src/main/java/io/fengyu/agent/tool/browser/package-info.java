/** A real browser for models: pages that are looked at, clicked and typed into. */
@NullMarked
package io.fengyu.agent.tool.browser;

import org.jspecify.annotations.NullMarked;
