package io.fengyu.agent.history;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import io.fengyu.agent.journal.EventPages;
import io.fengyu.agent.journal.RunProblems;
import io.fengyu.agent.journal.RunStore;
import io.fengyu.agent.journal.StoredEvent;
import io.fengyu.agent.journal.StoredRun;
import io.fengyu.agent.scope.SessionData;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.UUID;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jspecify.annotations.Nullable;

/** What owners can learn about their runs. */
@ApplicationScoped
class RunHistory {

  private final RunQueries queries;
  private final RunDetails details;
  private final Usages usages;
  private final EventPages pages;
  private final RunStore store;
  private final SessionData data;
  private final int sessionRuns;

  RunHistory(
      RunQueries queries,
      RunDetails details,
      Usages usages,
      EventPages pages,
      RunStore store,
      SessionData data,
      @ConfigProperty(name = "SESSION_HISTORY_RUNS", defaultValue = "20") int sessionRuns) {
    this.queries = queries;
    this.details = details;
    this.usages = usages;
    this.pages = pages;
    this.store = store;
    this.data = data;
    this.sessionRuns = sessionRuns;
  }

  Uni<List<RunItem>> newest(String owner, @Nullable String q, int limit, @Nullable UUID after) {
    return queries.newest(owner, q, limit, after);
  }

  Uni<ObjectNode> detail(String owner, UUID runId) {
    return queries
        .detail(owner, runId)
        .map(found -> known(found, runId))
        .chain(
            run ->
                Uni.combine()
                    .all()
                    .unis(queries.audit(runId), usages.of(runId))
                    .with((audit, usage) -> details.of(run, audit, usage)));
  }

  Uni<List<Receipt>> receipts(String owner, UUID runId) {
    return found(owner, runId).chain(run -> queries.receipts(runId));
  }

  private Uni<StoredRun> found(String owner, UUID runId) {
    return store.find(owner, runId).map(found -> known(found, runId));
  }

  private static <T> T known(@Nullable T found, UUID runId) {
    if (found == null) {
      throw RunProblems.notFound(runId.toString());
    }
    return found;
  }

  /** Stored events of the stream; fails when they do not go on after the cursor. */
  Uni<ObjectNode> events(String owner, UUID runId, long after, int limit) {
    return pages
        .window(owner, runId)
        .map(found -> known(found, runId))
        .chain(window -> eventPage(runId, after, limit, window));
  }

  private Uni<ObjectNode> eventPage(UUID runId, long after, int limit, EventPages.Window window) {
    if (!window.holds(after)) {
      throw RunProblems.replayUnavailable(runId, "the events after " + after + " are not kept");
    }
    return pages.after(runId, after, limit).map(page -> eventPage(after, window.last(), page));
  }

  private static ObjectNode eventPage(long after, long last, List<StoredEvent> page) {
    var node = JsonNodeFactory.instance.objectNode();
    var events = node.putArray("events");
    for (var event : page) {
      events
          .addObject()
          .put("seq", event.seq())
          .put("type", event.type())
          .putRawValue("data", new RawValue(event.numbered()))
          .put("createdAt", Times.wire(event.createdAt()));
    }
    var next = page.isEmpty() ? after : page.getLast().seq();
    return node.put("next_after_seq", next).put("has_more", next < last);
  }

  /** The state of a conversation; one that nobody used yet is free. */
  Uni<ObjectNode> session(String owner, String sessionId) {
    return queries
        .ofSession(owner, sessionId, sessionRuns)
        .chain(
            runs ->
                store
                    .active(owner, sessionId)
                    .chain(
                        active ->
                            queries
                                .heldByTurn(owner, sessionId)
                                .map(turn -> session(sessionId, runs, active, turn))))
        .chain(node -> data.state(owner, sessionId).map(state -> node.set("session_state", state)));
  }

  private static ObjectNode session(
      String sessionId, List<RunItem> runs, @Nullable StoredRun active, boolean turn) {
    var node = JsonNodeFactory.instance.objectNode();
    node.put("session_id", sessionId).put("can_send", active == null && !turn);
    if (active == null) {
      node.putNull("active_run");
    } else {
      node.putPOJO("active_run", RunProblems.activeRun(active));
    }
    if (!runs.isEmpty()) {
      control(node, runs.getFirst());
    }
    var items = node.putArray("runs");
    runs.forEach(items::addPOJO);
    return node;
  }

  private static void control(ObjectNode node, RunItem newest) {
    node.put("run_status", newest.runStatus());
    node.put("execution_stopped", newest.executionStopped());
    node.put("terminal_persisted", newest.terminalPersisted());
    node.put("cancel_status", newest.cancelStatus());
    node.put("execution_generation", newest.executionGeneration());
    node.put("revision", newest.revision());
  }
}
