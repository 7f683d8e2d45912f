@NullMarked
package io.fengyu.agent.tool.mail;

import org.jspecify.annotations.NullMarked;
