package io.fengyu.scheduler.schedule;

import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What owners see of their schedules, and how they end them. */
@ApplicationScoped
class Schedules {

  private static final int DEFAULT_FIRES = 20;
  private static final int MOST_FIRES = 100;

  private final ScheduleStore store;

  Schedules(ScheduleStore store) {
    this.store = store;
  }

  Uni<List<ScheduleSummary>> list(String owner, boolean ended) {
    return store.list(owner, ended).map(found -> found.stream().map(ScheduleSummary::of).toList());
  }

  Uni<Boolean> cancel(String id, String owner) {
    return known(id).map(known -> store.cancel(known, owner)).orElse(Uni.createFrom().item(false));
  }

  Uni<List<FireRecord>> fires(String id, String owner, @Nullable String limit) {
    var most = limit(limit);
    return known(id)
        .map(known -> store.fires(known, owner, most))
        .orElse(Uni.createFrom().item(Optional.empty()))
        .map(found -> found.orElseThrow(() -> ScheduleProblems.notFound(id)));
  }

  private static int limit(@Nullable String text) {
    if (text == null) {
      return DEFAULT_FIRES;
    }
    var number = text.matches("[0-9]{1,4}") ? Integer.parseInt(text) : 0;
    if (number < 1 || number > MOST_FIRES) {
      throw ScheduleProblems.field("/limit", "OUT_OF_RANGE", Map.of("min", 1, "max", MOST_FIRES));
    }
    return number;
  }

  private static Optional<UUID> known(String id) {
    try {
      return Optional.of(UUID.fromString(id));
    } catch (IllegalArgumentException noId) {
      return Optional.empty();
    }
  }
}
