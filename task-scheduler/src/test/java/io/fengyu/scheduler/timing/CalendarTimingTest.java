package io.fengyu.scheduler.timing;

import static org.assertj.core.api.Assertions.assertThat;

import io.fengyu.scheduler.timing.CalendarDays.Daily;
import io.fengyu.scheduler.timing.CalendarDays.Monthly;
import io.fengyu.scheduler.timing.CalendarDays.Weekly;
import io.fengyu.scheduler.timing.Fire.Note;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Month;
import java.time.YearMonth;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class CalendarTimingTest {

  @ParameterizedTest
  @CsvSource({
    "MONTHLY 31,  09:00, UTC,              2027-02-01T00:00:00Z, 2027-02-28T09:00:00Z, 2027-03-31T09:00:00Z",
    "MONTHLY -1,  09:00, UTC,              2028-02-01T00:00:00Z, 2028-02-29T09:00:00Z, 2028-03-31T09:00:00Z",
    "WEEKLY 1 5,  09:00, Asia/Shanghai,    2026-01-05T01:00:00Z, 2026-01-09T01:00:00Z, 2026-01-12T01:00:00Z",
    "DAILY,       02:30, America/New_York, 2026-03-08T00:00:00Z, 2026-03-08T07:30:00Z, 2026-03-09T06:30:00Z",
    "DAILY,       01:30, America/New_York, 2026-11-01T00:00:00Z, 2026-11-01T05:30:00Z, 2026-11-02T06:30:00Z",
    "DAILY,       02:30, Europe/Berlin,    2026-03-28T12:00:00Z, 2026-03-29T01:30:00Z, 2026-03-30T00:30:00Z",
    "DAILY,       02:15, Australia/Lord_Howe, 2026-10-03T00:00:00Z, 2026-10-03T15:45:00Z, 2026-10-04T15:15:00Z",
    "DAILY,       09:00, Pacific/Apia,     2011-12-29T19:00:00Z, 2011-12-30T19:00:00Z, 2011-12-31T19:00:00Z",
    "MONTHLY 30,  00:00, Africa/Cairo,     2026-04-24T00:00:00Z, 2026-04-29T21:00:00Z, 2026-05-29T21:00:00Z",
    "WEEKLY 7,    00:00, America/Santiago, 2026-09-05T12:00:00Z, 2026-09-06T04:00:00Z, 2026-09-13T03:00:00Z",
  })
  void theNextTwoTimesAre(
      String days, String time, String zone, Instant after, Instant next, Instant then) {
    var timing = new CalendarTiming(days(days), LocalTime.parse(time), ZoneId.of(zone));

    assertThat(timing.next(after).at()).isEqualTo(next);
    assertThat(timing.next(next).at()).isEqualTo(then);
    assertThat(timing.next(next.minusMillis(1)).at()).isEqualTo(next);
  }

  private static CalendarDays days(String text) {
    var words = text.split(" ");
    return switch (words[0]) {
      case "DAILY" -> new Daily();
      case "MONTHLY" -> new Monthly(Integer.parseInt(words[1]));
      default -> {
        var days = new TreeSet<DayOfWeek>();
        Stream.of(words).skip(1).map(Integer::valueOf).map(DayOfWeek::of).forEach(days::add);
        yield new Weekly(days);
      }
    };
  }

  @Test
  void whatThePersonMayWonderAboutIsNoted() {
    var berlin = ZoneId.of("Europe/Berlin");
    var daily = new CalendarTiming(new Daily(), LocalTime.of(2, 30), berlin);

    assertThat(daily.next(Instant.parse("2026-03-28T12:00:00Z")))
        .isEqualTo(
            new Fire(
                "2026-03-29T02:30",
                "+02:00",
                Instant.parse("2026-03-29T01:30:00Z"),
                Note.GAP_SHIFTED));
    assertThat(daily.next(Instant.parse("2026-10-24T12:00:00Z")))
        .isEqualTo(
            new Fire(
                "2026-10-25T02:30",
                "+02:00",
                Instant.parse("2026-10-25T00:30:00Z"),
                Note.OVERLAP_FIRST));
    var monthly = new CalendarTiming(new Monthly(31), LocalTime.of(9, 0), berlin);
    assertThat(monthly.next(Instant.parse("2026-04-02T00:00:00Z")).note())
        .isEqualTo(Note.MONTH_END);
    assertThat(monthly.next(Instant.parse("2026-05-02T00:00:00Z")).note()).isNull();
  }

  record World(String zone, int year) {}

  static Stream<World> worlds() {
    return Stream.of(
        new World("Africa/Cairo", 2026),
        new World("America/Santiago", 2026),
        new World("America/New_York", 2026),
        new World("Europe/London", 2026),
        new World("Australia/Lord_Howe", 2026),
        new World("Pacific/Apia", 2011),
        new World("Africa/Casablanca", 2026),
        new World("Asia/Kathmandu", 1986),
        new World("Europe/Istanbul", 2016),
        new World("UTC", 2028));
  }

  /** A year of every kind of calendar at every hour and half hour, minute by minute. */
  @ParameterizedTest
  @MethodSource("worlds")
  void aYearOfTimesIsWhatTheClockOnTheWallShows(World world) {
    var zone = ZoneId.of(world.zone);
    var wall = new Wall(zone, world.year);
    for (int slot = 0; slot < 48; slot++) {
      var time = LocalTime.MIDNIGHT.plusMinutes(30L * slot);
      assertThat(fires(new Daily(), time, zone, world.year))
          .as("%s %s daily", world, time)
          .isEqualTo(wall.times(time, day -> true));
    }
    for (int slot = 0; slot < 12; slot++) {
      var time = LocalTime.MIDNIGHT.plusMinutes(30L * slot);
      assertThat(fires(days("WEEKLY 6 7"), time, zone, world.year))
          .as("%s %s weekly", world, time)
          .isEqualTo(wall.times(time, day -> day.getDayOfWeek().getValue() > 5));
      for (int monthDay : new int[] {-1, 1, 29, 30, 31}) {
        assertThat(fires(new Monthly(monthDay), time, zone, world.year))
            .as("%s %s monthly %s", world, time, monthDay)
            .isEqualTo(wall.times(time, day -> isMonthDay(day, monthDay)));
      }
    }
  }

  private static boolean isMonthDay(LocalDate day, int monthDay) {
    var last = day.plusDays(1).getMonth() != day.getMonth();
    return day.getDayOfMonth() == monthDay
        || (last && (monthDay < 0 || monthDay > day.getDayOfMonth()));
  }

  private static List<Instant> fires(CalendarDays days, LocalTime time, ZoneId zone, int year) {
    var timing = new CalendarTiming(days, time, zone);
    var all = new ArrayList<Instant>();
    var end = YearMonth.of(year, Month.DECEMBER).atEndOfMonth();
    var at = LocalDate.of(year, 1, 1).atStartOfDay(zone).toInstant().minusMillis(1);
    while (true) {
      at = timing.next(at).at();
      if (at.atZone(zone).toLocalDate().isAfter(end)) {
        return all;
      }
      all.add(at);
    }
  }

  /** A clock on a wall that somebody looks at every minute of a year. */
  private static final class Wall {

    private final List<Instant> minutes = new ArrayList<>();
    private final List<LocalDateTime> shown = new ArrayList<>();
    private final int year;

    Wall(ZoneId zone, int year) {
      this.year = year;
      var at = LocalDate.of(year - 1, 12, 31).atStartOfDay(zone).toInstant();
      var end = LocalDate.of(year + 1, 1, 2).atStartOfDay(zone).toInstant();
      for (; at.isBefore(end); at = at.plus(Duration.ofMinutes(1))) {
        minutes.add(at);
        shown.add(LocalDateTime.ofInstant(at, zone));
      }
    }

    List<Instant> times(LocalTime time, Predicate<LocalDate> meant) {
      var all = new ArrayList<Instant>();
      var minute = 0;
      for (var day = LocalDate.of(year, 1, 1); day.getYear() == year; day = day.plusDays(1)) {
        if (meant.test(day)) {
          minute = firstAtOrPast(day.atTime(time), Math.max(0, minute - 24 * 60));
          var at = moment(day.atTime(time), minute);
          var within = shown.get(minute).getYear() == year;
          if (within && (all.isEmpty() || !all.getLast().equals(at))) {
            all.add(at);
          }
        }
      }
      return all;
    }

    private int firstAtOrPast(LocalDateTime wanted, int from) {
      var minute = from;
      while (shown.get(minute).isBefore(wanted)) {
        minute++;
      }
      return minute;
    }

    // Where the wall clock jumps over the wanted time, the wait goes on as if it had not jumped.
    private Instant moment(LocalDateTime wanted, int minute) {
      if (shown.get(minute).equals(wanted)) {
        return minutes.get(minute);
      }
      var before = shown.get(minute - 1).plusMinutes(1);
      return minutes.get(minute).plus(Duration.between(before, wanted));
    }
  }
}
