package io.fengyu.scheduler.schedule;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A due time of a schedule that is being claimed, and the later ones that it stands for.
 *
 * @param dueAt the earliest that was not claimed yet
 * @param next the first in the future; null when there is none
 * @param missed how many passed after {@code dueAt}
 * @param taskId the task that comes of it
 */
record Occurrence(
    Schedule schedule, Instant dueAt, @Nullable Instant next, long missed, UUID taskId) {

  /** The one occurrence of everything of a schedule that is due by now. */
  static Occurrence of(Schedule schedule, Instant now) {
    var dueAt = requireNonNull(schedule.nextFireAt());
    var timing = schedule.timing().timing(schedule.createdAt());
    var missed = 0L;
    var fire = timing.next(dueAt);
    while (fire != null && !fire.at().isAfter(now)) {
      missed++;
      fire = timing.next(fire.at());
    }
    return new Occurrence(
        schedule, dueAt, fire == null ? null : fire.at(), missed, UUID.randomUUID());
  }
}
