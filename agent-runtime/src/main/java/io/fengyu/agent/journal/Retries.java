package io.fengyu.agent.journal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.Consumer;

/** Batches that have to be sent again, before anything new. Used on the journal's loop only. */
final class Retries {

  private final ArrayDeque<JournalBatch> batches = new ArrayDeque<>();

  boolean isEmpty() {
    return batches.isEmpty();
  }

  /** The first; there has to be one. */
  JournalBatch take() {
    return batches.remove();
  }

  void addFirst(JournalBatch batch) {
    batches.addFirst(batch);
  }

  /** One batch for each of its items: one of them is what the database refuses. */
  void addFirstSingly(JournalBatch batch) {
    batch.singly().reversed().forEach(batches::addFirst);
  }

  void forEach(Consumer<JournalItem> consumer) {
    batches.forEach(batch -> batch.items().forEach(consumer));
  }

  /** What waits here and behind, by log, where the last of it ends or pauses the run. */
  Collection<List<JournalItem>> closingWith(Backlog queue) {
    var waiting = new LinkedHashMap<JournalLog, List<JournalItem>>();
    Consumer<JournalItem> add =
        item -> waiting.computeIfAbsent(item.log, log -> new ArrayList<>()).add(item);
    forEach(add);
    queue.forEach(add);
    waiting.values().removeIf(items -> !items.getLast().closing());
    return waiting.values();
  }
}
