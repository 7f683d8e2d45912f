/** The tools of packages in the catalog. */
@NullMarked
package io.fengyu.agent.plugin.tool;

import org.jspecify.annotations.NullMarked;
