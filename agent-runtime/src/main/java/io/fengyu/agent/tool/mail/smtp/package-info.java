/** Hands finished mails to servers, and says of each what is known of its fate. */
@NullMarked
package io.fengyu.agent.tool.mail.smtp;

import org.jspecify.annotations.NullMarked;
