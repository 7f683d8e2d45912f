@NullMarked
package io.fengyu.agent.tool.mail.smtp;

import org.jspecify.annotations.NullMarked;
