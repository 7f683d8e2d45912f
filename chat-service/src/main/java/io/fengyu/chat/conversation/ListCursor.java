package io.fengyu.chat.conversation;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** Where a page of the list ended; opaque on the wire. */
record ListCursor(OffsetDateTime updatedAt, String id) {

  /** Before the first page: later than anything. */
  private static final ListCursor TOP =
      new ListCursor(OffsetDateTime.of(9999, 1, 1, 0, 0, 0, 0, ZoneOffset.UTC), "");

  static ListCursor read(@Nullable String text) {
    if (text == null || text.isEmpty()) {
      return TOP;
    }
    try {
      var plain = new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8);
      var space = plain.indexOf(' ');
      if (space < 0 || plain.indexOf('\0') >= 0) {
        throw ConversationProblems.cursor();
      }
      var time = Instant.parse(plain.substring(0, space)).atOffset(ZoneOffset.UTC);
      if (time.isAfter(TOP.updatedAt) || time.getYear() < 2000) {
        throw ConversationProblems.cursor();
      }
      return new ListCursor(time, plain.substring(space + 1));
    } catch (IllegalArgumentException | DateTimeException strange) {
      throw ConversationProblems.cursor();
    }
  }

  String text() {
    var plain = updatedAt.toInstant() + " " + id;
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(plain.getBytes(StandardCharsets.UTF_8));
  }
}
