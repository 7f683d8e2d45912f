/** The processes of packages, and how they are spoken to. */
@NullMarked
package io.fengyu.agent.plugin.worker;

import org.jspecify.annotations.NullMarked;
