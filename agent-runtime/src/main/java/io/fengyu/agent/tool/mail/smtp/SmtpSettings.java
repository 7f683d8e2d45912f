package io.fengyu.agent.tool.mail.smtp;

import java.time.Duration;
import javax.net.ssl.SSLSocketFactory;

/**
 * How long a talk waits, and whom it trusts.
 *
 * @param certificates makes connections to servers whose certificates it trusts
 */
public record SmtpSettings(Duration connect, Duration answer, SSLSocketFactory certificates) {}
