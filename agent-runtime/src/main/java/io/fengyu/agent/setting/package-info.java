/** What owners and the deployment have set, known to every replica within a moment. */
@NullMarked
package io.fengyu.agent.setting;

import org.jspecify.annotations.NullMarked;
