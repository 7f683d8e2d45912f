package io.fengyu.agent.tool.mail.smtp;

import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The server that mails are handed to, and who hands them over.
 *
 * @param addresses of the host, checked: these are connected to, the name is not looked up again
 * @param username null when nobody logs in
 */
public record Mailbox(
    String host,
    List<InetSocketAddress> addresses,
    Security security,
    @Nullable String username,
    @Nullable String password) {

  /** How the connection is protected; certificates are always checked. */
  public enum Security {
    NONE,
    STARTTLS,
    TLS
  }

  /** A text of a server without what it must not repeat, on one line. */
  String told(@Nullable String text) {
    var told = String.valueOf(text).replaceAll("\\s+", " ").strip();
    if (password != null && password.length() > 3) {
      told = told.replace(password, "***");
    }
    return told.length() > 300 ? told.substring(0, 300) : told;
  }

  @Override
  public String toString() {
    return "Mailbox[" + host + "]";
  }
}
