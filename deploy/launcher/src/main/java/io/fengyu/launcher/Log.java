package io.fengyu.launcher;

import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;

/** The launcher's own words: a line at a time, to whoever started it. */
final class Log {

  private Log() {}

  static void say(String line) {
    System.err.println(
        LocalTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.MILLIS) + " " + line);
  }
}
