/** The hooks of packages that people trust. */
@NullMarked
package io.fengyu.agent.plugin.hook;

import org.jspecify.annotations.NullMarked;
