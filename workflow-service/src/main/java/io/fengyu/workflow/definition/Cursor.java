package io.fengyu.workflow.definition;

import io.fengyu.workflow.WorkflowProblems;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Where a page of definitions ended; opaque to clients.
 *
 * @param updatedAt of the last definition on the page
 */
record Cursor(Instant updatedAt, String id) {

  /** Later than any definition: the first page begins there. */
  static final Cursor START = new Cursor(Instant.parse("9999-01-01T00:00:00Z"), "");

  static Cursor of(@Nullable String text) {
    if (text == null || text.isEmpty()) {
      return START;
    }
    try {
      var decoded = new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8);
      var parts = decoded.split("_", 2);
      var micros = Long.parseLong(parts[0]);
      return new Cursor(Instant.EPOCH.plus(micros, ChronoUnit.MICROS), WorkflowId.known(parts[1]));
    } catch (RuntimeException unreadable) {
      throw WorkflowProblems.badQuery("cursor");
    }
  }

  OffsetDateTime moment() {
    return updatedAt.atOffset(ZoneOffset.UTC);
  }

  @Override
  public String toString() {
    var text = ChronoUnit.MICROS.between(Instant.EPOCH, updatedAt) + "_" + id;
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }
}
