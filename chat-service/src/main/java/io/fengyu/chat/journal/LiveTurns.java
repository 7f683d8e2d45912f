package io.fengyu.chat.journal;

import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** The turns of this process, and who of its readers waits for turns of others. */
@ApplicationScoped
class LiveTurns {

  private final Map<UUID, LiveTurn> turns = new ConcurrentHashMap<>();
  private final Map<UUID, List<Runnable>> elsewhere = new ConcurrentHashMap<>();

  LiveTurns(MeterRegistry metrics) {
    metrics.gauge("fengyu.chat.turns.running", turns, Map::size);
  }

  void add(LiveTurn turn) {
    turns.put(turn.id(), turn);
  }

  void remove(LiveTurn turn) {
    turns.remove(turn.id(), turn);
  }

  @Nullable LiveTurn find(UUID id) {
    return turns.get(id);
  }

  Collection<LiveTurn> all() {
    return turns.values();
  }

  int size() {
    return turns.size();
  }

  /** Readers of turns that are executed somewhere else, or nowhere. */
  void watch(UUID id, Runnable wake) {
    elsewhere.compute(
        id,
        (key, known) -> {
          var all = known == null ? new CopyOnWriteArrayList<Runnable>() : known;
          all.add(wake);
          return all;
        });
  }

  void unwatch(UUID id, Runnable wake) {
    elsewhere.computeIfPresent(
        id,
        (key, all) -> {
          all.remove(wake);
          return all.isEmpty() ? null : all;
        });
  }

  Set<UUID> watchedElsewhere() {
    return Set.copyOf(elsewhere.keySet());
  }

  void wake(UUID id) {
    elsewhere.getOrDefault(id, List.of()).forEach(Runnable::run);
  }

  void wakeAll() {
    elsewhere.keySet().forEach(this::wake);
  }
}
