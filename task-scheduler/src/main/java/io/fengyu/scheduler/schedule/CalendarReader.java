package io.fengyu.scheduler.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import io.fengyu.scheduler.timing.CalendarDays;
import io.fengyu.scheduler.timing.CalendarDays.Daily;
import io.fengyu.scheduler.timing.CalendarDays.Monthly;
import io.fengyu.scheduler.timing.CalendarDays.Weekly;
import io.fengyu.scheduler.timing.CalendarTiming;
import java.time.DayOfWeek;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Reads {@code {frequency, time, zoneId, weekdays, monthDay}}. */
final class CalendarReader {

  private static final Pattern TIME = Pattern.compile("([01][0-9]|2[0-3]):[0-5][0-9]");

  private CalendarReader() {}

  /** Fails with 400, naming the field that means nothing. */
  static void check(JsonNode calendar) {
    var unused = read(calendar);
  }

  static CalendarTiming read(JsonNode calendar) {
    if (!calendar.isObject()) {
      throw ScheduleProblems.calendar("calendar");
    }
    return new CalendarTiming(days(calendar), time(calendar), zone(calendar));
  }

  private static CalendarDays days(JsonNode calendar) {
    return switch (calendar.path("frequency").textValue()) {
      case "DAILY" -> new Daily();
      case "WEEKLY" -> weekly(calendar.path("weekdays"));
      case "MONTHLY" -> monthly(calendar.path("monthDay"));
      case null, default -> throw ScheduleProblems.calendar("frequency");
    };
  }

  private static Weekly weekly(JsonNode numbers) {
    if (!numbers.isArray() || numbers.isEmpty()) {
      throw ScheduleProblems.calendar("weekdays");
    }
    var days = new TreeSet<DayOfWeek>();
    for (var number : numbers) {
      days.add(DayOfWeek.of(whole(number, 1, 7, "weekdays")));
    }
    return new Weekly(days);
  }

  private static Monthly monthly(JsonNode number) {
    int day = whole(number, -1, 31, "monthDay");
    if (day == 0) {
      throw ScheduleProblems.calendar("monthDay");
    }
    return new Monthly(day);
  }

  private static int whole(JsonNode number, int least, int most, String field) {
    if (!number.isIntegralNumber() || !number.canConvertToInt()) {
      throw ScheduleProblems.calendar(field);
    }
    int value = number.intValue();
    if (value < least || value > most) {
      throw ScheduleProblems.calendar(field);
    }
    return value;
  }

  private static LocalTime time(JsonNode calendar) {
    var text = calendar.path("time").asText("");
    if (!TIME.matcher(text).matches()) {
      throw ScheduleProblems.calendar("time");
    }
    return LocalTime.parse(text);
  }

  // Names of the time-zone database only: an offset would not follow the clocks of any place.
  private static ZoneId zone(JsonNode calendar) {
    var name = calendar.path("zoneId").asText("");
    if (!ZoneId.getAvailableZoneIds().contains(name)) {
      throw ScheduleProblems.calendar("zoneId");
    }
    return ZoneId.of(name);
  }
}
