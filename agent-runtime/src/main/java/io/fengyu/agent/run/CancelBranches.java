package io.fengyu.agent.run;

import io.fengyu.agent.journal.StoredRun;
import io.fengyu.agent.journal.StoredRun.CancelStatus;
import io.fengyu.agent.run.StoppedBranches.Written;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was at work in a run when its end was asked for: its steps by the journal, everything else
 * as the executing process wrote it down.
 */
@ApplicationScoped
class CancelBranches {

  // A range of the primary key. The payloads begin with the index; results stay where they are.
  private static final String STEPS =
      """
      SELECT type, audit_seq, created_at,
             substring(left(data, 24) FROM '^\\{"index":([0-9]+)')::int AS step,
             CASE WHEN type = 'step_retry'
                  THEN substring(left(data, 120) FROM '"delayMs":([0-9]+)')::bigint END AS delay_ms
        FROM agent.run_event
       WHERE run_id = $1 AND audit_seq IS NOT NULL
         AND type IN ('step_start', 'step_retry', 'step_complete', 'step_failed')
       ORDER BY audit_seq""";

  private final Pool pool;
  private final StoppedBranches written;
  private final Clock clock;

  CancelBranches(Pool pool, StoppedBranches written, Clock clock) {
    this.pool = pool;
    this.written = written;
    this.clock = clock;
  }

  /**
   * The branches of a run.
   *
   * @param seenAudit what had ended by this event of the history is left out
   */
  Uni<List<CancelBranch>> of(StoredRun run, int seenAudit) {
    return pool.preparedQuery(STEPS)
        .execute(Tuple.of(run.id()))
        .chain(rows -> written.of(run.id()).map(all -> read(run, seenAudit, rows, all)));
  }

  private List<CancelBranch> read(
      StoredRun run, int seenAudit, RowSet<Row> steps, List<Written> all) {
    return new Fold(run, seenAudit).read(steps, all, clock.instant());
  }

  /**
   * The work on one step, from its start to its end.
   *
   * @param end null while it lasts
   */
  private record Work(String kind, String id, Instant start, @Nullable Instant end) {

    Work endedAt(Instant at) {
      return end == null || end.isAfter(at) ? new Work(kind, id, start, at) : this;
    }

    boolean endedBefore(Instant at) {
      return end != null && !end.isAfter(at);
    }
  }

  private static final class Fold {

    private final StoredRun run;
    private final int seenAudit;
    private final Map<String, Work> lasting = new LinkedHashMap<>();
    private final List<Work> ended = new ArrayList<>();

    Fold(StoredRun run, int seenAudit) {
      this.run = run;
      this.seenAudit = seenAudit;
    }

    List<CancelBranch> read(RowSet<Row> steps, List<Written> written, Instant now) {
      steps.forEach(this::add);
      written.forEach(
          b -> lasting.put(b.toString(), new Work(b.kind(), b.id(), b.startedAt(), b.endedAt())));
      var all = new ArrayList<>(ended);
      var completedAt = run.completedAt();
      lasting
          .values()
          .forEach(work -> all.add(completedAt == null ? work : work.endedAt(completedAt)));
      return all.stream()
          .sorted(Comparator.comparing(Work::start))
          .map(work -> shown(work, now))
          .toList();
    }

    private void add(Row row) {
      var at = row.getOffsetDateTime("created_at").toInstant();
      switch (row.getString("type")) {
        case "step_start" -> begin("tool", id(row), at, null);
        case "step_retry" -> begin("timer", timer(row), at, at.plusMillis(row.getLong("delay_ms")));
        default -> {
          end(timer(row), at);
          end(id(row), at);
        }
      }
      if (row.getInteger("audit_seq") <= seenAudit) {
        ended.clear();
      }
    }

    private void begin(String kind, String id, Instant at, @Nullable Instant until) {
      end(id, at);
      lasting.put(id, new Work(kind, id, at, until));
    }

    private void end(String id, Instant at) {
      var work = lasting.remove(id);
      if (work != null) {
        ended.add(work.endedAt(at));
      }
    }

    private String id(Row row) {
      return StepEvents.toolCallId(run.id(), row.getInteger("step"));
    }

    private String timer(Row row) {
      return id(row) + ":retry";
    }

    private CancelBranch shown(Work work, Instant now) {
      var end = work.endedBefore(now) ? work.end() : null;
      var state =
          end != null
              ? "ended"
              : run.cancelStatus() == CancelStatus.STOPPING ? "stopping" : "running";
      return new CancelBranch(work.kind(), work.id(), state, work.start(), end);
    }
  }
}
