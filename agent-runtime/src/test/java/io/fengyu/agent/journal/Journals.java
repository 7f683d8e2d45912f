package io.fengyu.agent.journal;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.testing.PostgresServer;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Words that the stories about the journal share. */
final class Journals {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private Journals() {}

  static NewRun newRun(String owner) {
    return newRun(owner, null);
  }

  static NewRun newRun(String owner, @Nullable String session) {
    return new NewRun(
        UUID.randomUUID(),
        owner,
        session,
        "count to three",
        json(),
        plan(),
        null,
        null,
        "sandboxed",
        false,
        null);
  }

  static ObjectNode json() {
    return JsonNodeFactory.instance.objectNode();
  }

  static ObjectNode plan() {
    var plan = json().put("goal", "count to three");
    plan.putArray("steps").addObject().put("index", 0).put("toolName", "echo");
    return plan;
  }

  static RunLog.Entry event(EventType type, int index) {
    return new RunLog.Entry(type, json().put("index", index));
  }

  static RunLog created(RunStore store, String owner) {
    return store.create(newRun(owner)).await().atMost(PATIENCE);
  }

  static void step(RunLog log, int index) {
    log.append(List.of(event(EventType.STEP_START, index)), List.of());
    log.append(List.of(event(EventType.STEP_COMPLETE, index)), List.of());
  }

  static void complete(RunLog log) {
    log.append(
        List.of(new RunLog.Entry(EventType.COMPLETE, json().put("status", "COMPLETED"))),
        List.of(new Change.End(RunStatus.COMPLETED, "done", null, false)));
  }

  static void durable(RunLog log) {
    await(log.durable());
  }

  static void await(CompletionStage<Void> stage) {
    try {
      stage.toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (java.util.concurrent.ExecutionException failed) {
      throw failed.getCause() instanceof RuntimeException cause
          ? cause
          : new IllegalStateException(failed.getCause());
    } catch (InterruptedException | java.util.concurrent.TimeoutException late) {
      throw new IllegalStateException(late);
    }
  }

  static List<Long> streamed(UUID runId) {
    var seqs = new ArrayList<Long>();
    query(
        "SELECT seq FROM agent.run_event WHERE run_id = '%s' AND seq >= 0 ORDER BY seq"
            .formatted(runId),
        row -> seqs.add(row.getLong(1)));
    return seqs;
  }

  static List<Integer> audited(UUID runId) {
    var seqs = new ArrayList<Integer>();
    query(
        "SELECT audit_seq FROM agent.run_event WHERE run_id = '%s' AND audit_seq IS NOT NULL ORDER BY audit_seq"
            .formatted(runId),
        row -> seqs.add(row.getInt(1)));
    return seqs;
  }

  /** The listed files of a run: path, size and step. */
  static List<String> files(UUID runId) {
    var files = new ArrayList<String>();
    query(
        "SELECT path || ' ' || size || ' ' || step FROM agent.run_file WHERE run_id = '%s' ORDER BY path"
            .formatted(runId),
        row -> files.add(row.getString(1)));
    return files;
  }

  static void execute(String sql) {
    try (var connection = PostgresServer.shared().connect();
        var statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
  }

  static @Nullable String value(String sql) {
    var values = new ArrayList<@Nullable String>();
    query(sql, row -> values.add(row.getString(1)));
    return values.isEmpty() ? null : values.getFirst();
  }

  private interface EachRow {
    void accept(java.sql.ResultSet row) throws SQLException;
  }

  private static void query(String sql, EachRow each) {
    try (var connection = PostgresServer.shared().connect();
        var statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        each.accept(rows);
      }
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
  }
}
