package io.fengyu.scheduler.timing;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.format.TextStyle;
import java.util.Locale;
import java.util.SortedSet;
import java.util.stream.Collectors;

/** Which days a calendar means. */
public sealed interface CalendarDays {

  /** Every day. */
  record Daily() implements CalendarDays {}

  /**
   * Some days of every week.
   *
   * @param weekdays at least one
   */
  record Weekly(SortedSet<DayOfWeek> weekdays) implements CalendarDays {}

  /**
   * One day of every month.
   *
   * @param monthDay 1 to 31, where shorter months use their last day; -1 for the last day
   */
  record Monthly(int monthDay) implements CalendarDays {}

  /**
   * A day that is meant.
   *
   * @param moved true when the month has not the day that was asked for
   */
  record Day(LocalDate date, boolean moved) {}

  /** The first day that is meant, from this one on. */
  default Day onOrAfter(LocalDate from) {
    return switch (this) {
      case Daily daily -> new Day(from, false);
      case Weekly weekly -> {
        var date = from;
        while (!weekly.weekdays.contains(date.getDayOfWeek())) {
          date = date.plusDays(1);
        }
        yield new Day(date, false);
      }
      case Monthly monthly -> {
        var month = YearMonth.from(from);
        var day = in(month, monthly.monthDay);
        yield day.date.isBefore(from) ? in(month.plusMonths(1), monthly.monthDay) : day;
      }
    };
  }

  private static Day in(YearMonth month, int monthDay) {
    return monthDay < 1 || monthDay > month.lengthOfMonth()
        ? new Day(month.atEndOfMonth(), monthDay > 0)
        : new Day(month.atDay(monthDay), false);
  }

  /** In English, as the beginning of a sentence. */
  default String words() {
    return switch (this) {
      case Daily daily -> "Every day";
      case Weekly weekly ->
          weekly.weekdays.stream()
              .map(day -> day.getDisplayName(TextStyle.FULL, Locale.ENGLISH))
              .collect(Collectors.joining(", ", "Every ", ""));
      case Monthly monthly when monthly.monthDay < 0 -> "On the last day of every month";
      case Monthly monthly ->
          "On day "
              + monthly.monthDay
              + " of every month"
              + (monthly.monthDay > 28 ? " (the last day of shorter months)" : "");
    };
  }
}
