@NullMarked
package io.fengyu.agent.tool;

import org.jspecify.annotations.NullMarked;
