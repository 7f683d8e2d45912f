/** A mail server that speaks SMTP over real sockets and misbehaves as a test wants it to. */
@NullMarked
package io.fengyu.testing.smtp;

import org.jspecify.annotations.NullMarked;
