package io.fengyu.testing.smtp;

import java.util.List;

/**
 * A mail that the server has taken.
 *
 * @param login who had logged in; empty for nobody
 * @param data as it came, with bare line feeds
 */
public record ReceivedMail(String login, String sender, List<String> recipients, String data) {

  /** The first header of that name, unfolded; empty for none. */
  public String header(String name) {
    var head = data.substring(0, Math.max(0, data.indexOf("\n\n"))).replaceAll("\n[ \t]+", " ");
    return head.lines()
        .filter(line -> line.regionMatches(true, 0, name + ":", 0, name.length() + 1))
        .map(line -> line.substring(name.length() + 1).strip())
        .findFirst()
        .orElse("");
  }
}
