@NullMarked
package io.fengyu.agent.tool.helper;

import org.jspecify.annotations.NullMarked;
