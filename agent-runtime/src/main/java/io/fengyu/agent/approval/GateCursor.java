package io.fengyu.agent.approval;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * A place in the list of open gates.
 *
 * @param openedAt in microseconds, as the database has it
 * @param subject decides between gates that opened at once
 */
public record GateCursor(Instant openedAt, String subject) {

  static final Comparator<OpenGate> ORDER =
      Comparator.comparing(OpenGate::openedAt).thenComparing(OpenGate::subject);

  private static final GateCursor START = new GateCursor(Instant.EPOCH, "");

  static GateCursor of(@Nullable String text) {
    if (text == null || text.isBlank()) {
      return START;
    }
    try {
      var plain = new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8);
      var middle = plain.indexOf(' ');
      return new GateCursor(
          Instant.EPOCH.plus(Long.parseLong(plain.substring(0, middle)), ChronoUnit.MICROS),
          plain.substring(middle + 1));
    } catch (RuntimeException unreadable) {
      throw ApprovalProblems.parameter("cursor");
    }
  }

  static String after(OpenGate gate) {
    var micros = ChronoUnit.MICROS.between(Instant.EPOCH, gate.openedAt());
    var plain = micros + " " + gate.subject();
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(plain.getBytes(StandardCharsets.UTF_8));
  }
}
