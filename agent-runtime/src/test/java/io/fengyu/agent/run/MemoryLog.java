package io.fengyu.agent.run;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.journal.Change;
import io.fengyu.agent.journal.EventType;
import io.fengyu.agent.journal.RunLog;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A log that only remembers; what is appended counts as durable when somebody waits for it. */
class MemoryLog implements RunLog {

  private final UUID runId;
  private final int generation;
  final List<Entry> events = new ArrayList<>();
  final List<Change> changes = new ArrayList<>();
  final List<Integer> commits = new ArrayList<>();
  private int durable;

  MemoryLog(UUID runId, int generation) {
    this.runId = runId;
    this.generation = generation;
  }

  @Override
  public UUID runId() {
    return runId;
  }

  @Override
  public int generation() {
    return generation;
  }

  @Override
  public synchronized void append(List<Entry> added, List<Change> with) {
    events.addAll(added);
    changes.addAll(with);
    commits.add(events.size());
  }

  @Override
  public synchronized void appendText(EventType type, String text) {
    events.add(new Entry(type, JsonNodeFactory.instance.objectNode().put("text", text)));
  }

  @Override
  public synchronized int pending() {
    return events.size() - durable;
  }

  @Override
  public synchronized CompletionStage<Void> durable() {
    durable = events.size();
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public CompletionStage<Void> room() {
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public boolean held() {
    return true;
  }

  /** How many events somebody waited for. */
  synchronized int durableEvents() {
    return durable;
  }

  synchronized List<String> types() {
    return events.stream().map(event -> event.type().wire()).toList();
  }

  synchronized List<ObjectNode> data(EventType type) {
    return events.stream().filter(event -> event.type() == type).map(Entry::data).toList();
  }

  synchronized <T extends Change> List<T> changes(Class<T> kind) {
    return changes.stream().filter(kind::isInstance).map(kind::cast).toList();
  }
}
