package io.fengyu.agent.tool.mail;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** Times as they stand in results. */
final class MailTimes {

  private static final DateTimeFormatter WIRE =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

  private MailTimes() {}

  static String wire(Instant time) {
    return WIRE.format(time);
  }
}
