@NullMarked
package io.fengyu.agent.tool.excel;

import org.jspecify.annotations.NullMarked;
