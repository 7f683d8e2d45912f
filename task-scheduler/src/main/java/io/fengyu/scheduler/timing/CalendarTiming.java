package io.fengyu.scheduler.timing;

import io.fengyu.scheduler.timing.Fire.Note;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import org.jspecify.annotations.Nullable;

/**
 * A time of day on certain days, in a time zone, for as long as the schedule lives. A local time
 * that the clocks skip moves forward by the length of the gap; one that they show twice fires at
 * the first of the two.
 *
 * @param days on which days
 * @param time to the minute
 */
public record CalendarTiming(CalendarDays days, LocalTime time, ZoneId zone) implements Timing {

  @Override
  public Fire next(Instant after) {
    // A skipped time may belong to the day before the one that the clocks show.
    var day = days.onOrAfter(after.atZone(zone).toLocalDate().minusDays(1));
    var fire = on(day);
    while (!fire.at().isAfter(after)) {
      day = days.onOrAfter(day.date().plusDays(1));
      fire = on(day);
    }
    return fire;
  }

  private Fire on(CalendarDays.Day day) {
    var local = day.date().atTime(time);
    var moment = ZonedDateTime.of(local, zone);
    return Fire.of(local, moment.getOffset(), moment.toInstant(), note(day));
  }

  private @Nullable Note note(CalendarDays.Day day) {
    return switch (zone.getRules().getValidOffsets(day.date().atTime(time)).size()) {
      case 0 -> Note.GAP_SHIFTED;
      case 1 -> day.moved() ? Note.MONTH_END : null;
      default -> Note.OVERLAP_FIRST;
    };
  }

  @Override
  public @Nullable Instant expiresAt() {
    return null;
  }

  @Override
  public String policy() {
    return days.words()
        + " at "
        + time
        + " in "
        + zone
        + "; a time that the clocks skip fires later by the gap, one that they show twice fires at"
        + " the first.";
  }
}
