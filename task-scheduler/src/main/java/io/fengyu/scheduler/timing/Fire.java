package io.fengyu.scheduler.timing;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonValue;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/**
 * One due time.
 *
 * @param local what the clock on the wall was asked to show; for a time that the clocks skip, one
 *     that they never show
 * @param offset the one in force at {@code at}
 * @param at the moment itself
 * @param note why {@code at} is not simply the local time; null when it is
 */
public record Fire(
    @JsonProperty("local") String local,
    @JsonProperty("offset") String offset,
    @JsonProperty("at") Instant at,
    @JsonProperty("note") @Nullable Note note) {

  private static final DateTimeFormatter MINUTES =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm");
  private static final DateTimeFormatter SECONDS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss");

  /** Something about the calendar that a person may wonder about. */
  public enum Note {
    /** The clocks skip this local time: it fires later by the length of the gap. */
    GAP_SHIFTED("gap-shifted"),
    /** The clocks show this local time twice: it fires at the first. */
    OVERLAP_FIRST("overlap-first"),
    /** The month has no such day: it fires on its last. */
    MONTH_END("month-end");

    private final String wire;

    Note(String wire) {
      this.wire = wire;
    }

    @JsonValue
    String wire() {
      return wire;
    }
  }

  static Fire of(LocalDateTime local, ZoneOffset offset, Instant at, @Nullable Note note) {
    var format = local.getSecond() == 0 ? MINUTES : SECONDS;
    return new Fire(format.format(local), offset.toString(), at, note);
  }
}
