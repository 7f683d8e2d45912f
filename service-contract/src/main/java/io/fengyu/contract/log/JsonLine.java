package io.fengyu.contract.log;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import org.jboss.logmanager.ExtFormatter;
import org.jboss.logmanager.ExtLogRecord;
import org.jspecify.annotations.Nullable;

/** Writes a log record as one line of JSON. Members without a value are left out. */
final class JsonLine extends ExtFormatter {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

  // What request filters and tracing put into the context.
  private static final List<String> CONTEXT =
      List.of(
          "traceId", "spanId", "runId", "sessionId", "userId", "operationId", "requestId", "code");

  private final String service;
  private final String instance;

  JsonLine(String service, String instance) {
    this.service = service;
    this.instance = instance;
  }

  @Override
  public String format(ExtLogRecord entry) {
    var line = new StringBuilder(256);
    line.append("{\"ts\":\"")
        .append(TIME.format(Instant.ofEpochMilli(entry.getMillis())))
        .append('"');
    member(line, "level", entry.getLevel().getName());
    member(line, "service", service);
    member(line, "instance", instance);
    member(line, "logger", entry.getLoggerName());
    member(line, "msg", formatMessage(entry));
    for (var key : CONTEXT) {
      member(line, key, entry.getMdc(key));
    }
    var thrown = entry.getThrown();
    if (thrown != null) {
      member(line, "exception", stackOf(thrown));
    }
    return line.append("}\n").toString();
  }

  private static String stackOf(Throwable thrown) {
    var text = new StringWriter();
    thrown.printStackTrace(new PrintWriter(text));
    return text.toString();
  }

  private static void member(StringBuilder line, String name, @Nullable String value) {
    if (value != null) {
      line.append(",\"").append(name).append("\":\"");
      escape(line, value);
      line.append('"');
    }
  }

  private static void escape(StringBuilder line, String text) {
    for (var i = 0; i < text.length(); i++) {
      var letter = text.charAt(i);
      switch (letter) {
        case '"' -> line.append("\\\"");
        case '\\' -> line.append("\\\\");
        case '\n' -> line.append("\\n");
        case '\t' -> line.append("\\t");
        default -> {
          if (letter < ' ') {
            line.append("\\u%04x".formatted((int) letter));
          } else {
            line.append(letter);
          }
        }
      }
    }
  }
}
