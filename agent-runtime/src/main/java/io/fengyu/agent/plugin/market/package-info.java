/** Which packages are installed, and where they lie on this machine. */
@NullMarked
package io.fengyu.agent.plugin.market;

import org.jspecify.annotations.NullMarked;
