package io.fengyu.agent.job;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.tool.JobProgress;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What is known of the jobs of runs. */
@ApplicationScoped
class JobStore {

  private static final int LONGEST_RESULT = 256 * 1024;

  // Only the present stage of a run that nobody has stopped takes jobs on.
  private static final String REGISTER =
      """
      INSERT INTO agent.job
             (run_id, tool, job_id, owner, parent_id, invocation_id, generation, status)
      SELECT r.id, $2, $3, r.owner, $4, $5, $6, 'queued'
        FROM agent.run r
       WHERE r.id = $1 AND r.generation = $6 AND r.executor IS NOT NULL
         AND r.completed_at IS NULL AND r.cancel_status = 'none'
          ON CONFLICT (run_id, tool, job_id) DO UPDATE
         SET invocation_id = EXCLUDED.invocation_id, generation = EXCLUDED.generation,
             updated_at = now()
       WHERE agent.job.generation <= EXCLUDED.generation""";

  // Two ranges of the primary key. A later stage of the run is left alone.
  private static final String UPDATE =
      """
      UPDATE agent.job
         SET status = $5, progress = $6, progress_cursor = $7, next_job_id = $8, result = $9,
             updated_at = now(), ended_at = CASE WHEN $10 THEN now() END
       WHERE run_id = $1 AND tool = $2 AND job_id = $3 AND generation = $4
      RETURNING EXISTS (
        SELECT FROM agent.job c
         WHERE c.run_id = $1 AND c.invocation_id = $11 AND c.cancel_requested) AS cancel""";

  // Index job_of_owner.
  private static final String FIND =
      """
      SELECT j.job_id, j.status, j.progress, j.progress_cursor, j.next_job_id, j.result,
             j.ended_at IS NOT NULL AS ended, r.completed_at IS NULL AS followed
        FROM agent.job j
        JOIN agent.run r ON r.id = j.run_id
       WHERE j.owner = $1 AND j.job_id = $2
       ORDER BY j.created_at DESC
       LIMIT 1""";

  // Few jobs of one run by the primary key, or one by job_of_owner: of a run that is over, without
  // an end of their own. One that was handed over ends with the last of its chain.
  private static final String LEFT =
      """
      SELECT j.run_id, j.tool, j.job_id, j.invocation_id, j.generation, j.owner,
             r.session_id
        FROM agent.job j
        JOIN agent.run r ON r.id = j.run_id
       WHERE j.owner = $1 AND j.ended_at IS NULL AND r.completed_at IS NOT NULL""";

  private static final String LEFT_OF_RUN = LEFT + " AND j.run_id = $2 LIMIT 100";
  private static final String LEFT_BY_ID = LEFT + " AND j.job_id = $2 LIMIT 1";

  // Primary key. Only as long as nobody has heard of an end.
  private static final String LOSE =
      """
      UPDATE agent.job
         SET status = 'failed', result = $4, updated_at = now(), ended_at = now()
       WHERE run_id = $1 AND tool = $2 AND job_id = $3 AND ended_at IS NULL""";

  // Likewise. Whoever follows the job, or one that came of it, reads the wish with his next write.
  private static final String CANCEL =
      """
      UPDATE agent.job SET cancel_requested = true
       WHERE (run_id, tool, job_id) = (
         SELECT run_id, tool, job_id FROM agent.job
          WHERE owner = $1 AND job_id = $2
          ORDER BY created_at DESC
          LIMIT 1)""";

  private final Pool pool;
  private final ObjectMapper json;

  JobStore(Pool pool, ObjectMapper json) {
    this.pool = pool;
    this.json = json;
  }

  /** Which job of which call. */
  record Key(UUID runId, String tool, String jobId, UUID invocationId, int generation) {

    /** A job of the same call. */
    Key of(String other) {
      return new Key(runId, tool, other, invocationId, generation);
    }
  }

  /** A job without an end, of a run that is over. */
  record Left(Key key, String owner, @Nullable String sessionId) {}

  /**
   * A job as it was last heard of.
   *
   * @param ended true when that is its end
   * @param followed true while somebody asks how it goes
   */
  record Known(
      String jobId,
      String status,
      ArrayNode progress,
      long cursor,
      @Nullable String next,
      @Nullable JsonNode result,
      boolean ended,
      boolean followed) {}

  /** Emits false when the run takes no jobs on any more. */
  Uni<Boolean> register(Key key, @Nullable String parent) {
    return pool.preparedQuery(REGISTER)
        .execute(
            Tuple.tuple()
                .addUUID(key.runId())
                .addString(key.tool())
                .addString(key.jobId())
                .addString(parent)
                .addUUID(key.invocationId())
                .addInteger(key.generation()))
        .map(rows -> rows.rowCount() == 1);
  }

  /** Emits whether somebody wants its end; empty when another stage of the run has the job. */
  Uni<Optional<Boolean>> update(Key key, JobStatus status, Collection<JobProgress> latest) {
    var next = status.next();
    return pool.preparedQuery(UPDATE)
        .execute(
            Tuple.tuple()
                .addUUID(key.runId())
                .addString(key.tool())
                .addString(key.jobId())
                .addInteger(key.generation())
                .addString(status.state().wire())
                .addString(storable(json.<ArrayNode>valueToTree(latest).toString()))
                .addLong(status.cursor())
                .addString(next == null ? null : next.asText())
                .addString(result(status))
                .addBoolean(status.state().over())
                .addUUID(key.invocationId()))
        .map(JobStore::cancel);
  }

  private static Optional<Boolean> cancel(RowSet<Row> rows) {
    var all = rows.iterator();
    return all.hasNext() ? Optional.of(all.next().getBoolean("cancel")) : Optional.empty();
  }

  // Longer ones are in the run, as the result of the step.
  private static @Nullable String result(JobStatus status) {
    var result = status.result() == null ? null : status.result().toString();
    return result == null || result.length() > LONGEST_RESULT ? null : storable(result);
  }

  private static String storable(String text) {
    return text.replace('\0', '\uFFFD');
  }

  /** The newest job of that id in any run of the owner; emits null when there is none. */
  Uni<@Nullable Known> find(String owner, String jobId) {
    return pool.preparedQuery(FIND).execute(Tuple.of(owner, jobId)).map(this::first);
  }

  /** The jobs that a run has left behind. */
  Uni<List<Left>> leftOfRun(String owner, UUID runId) {
    return pool.preparedQuery(LEFT_OF_RUN).execute(Tuple.of(owner, runId)).map(JobStore::left);
  }

  /** The job of that id, if a run has left it behind. */
  Uni<List<Left>> leftById(String owner, String jobId) {
    return pool.preparedQuery(LEFT_BY_ID).execute(Tuple.of(owner, jobId)).map(JobStore::left);
  }

  private static List<Left> left(RowSet<Row> rows) {
    return rows.stream()
        .map(
            row ->
                new Left(
                    new Key(
                        row.getUUID("run_id"),
                        row.getString("tool"),
                        row.getString("job_id"),
                        row.getUUID("invocation_id"),
                        row.getInteger("generation")),
                    row.getString("owner"),
                    row.getString("session_id")))
        .toList();
  }

  /** Nobody can tell any more what became of the job. */
  Uni<Void> lose(Key key, String why) {
    return pool.preparedQuery(LOSE)
        .execute(Tuple.of(key.runId(), key.tool(), key.jobId(), why))
        .replaceWithVoid();
  }

  /** Asks for the end of a job and of what came of it. */
  Uni<Void> cancel(String owner, String jobId) {
    return pool.preparedQuery(CANCEL).execute(Tuple.of(owner, jobId)).replaceWithVoid();
  }

  private @Nullable Known first(RowSet<Row> rows) {
    var all = rows.iterator();
    return all.hasNext() ? known(all.next()) : null;
  }

  private Known known(Row row) {
    var result = row.getString("result");
    return new Known(
        row.getString("job_id"),
        row.getString("status"),
        (ArrayNode) tree(row.getString("progress")),
        row.getLong("progress_cursor"),
        row.getString("next_job_id"),
        result == null ? null : tree(result),
        row.getBoolean("ended"),
        row.getBoolean("followed"));
  }

  private JsonNode tree(String text) {
    try {
      return json.readTree(text);
    } catch (JsonProcessingException damaged) {
      throw new IllegalStateException("The table holds JSON", damaged);
    }
  }

  /** A progress list of a client's own. */
  static ObjectNode shown(Known job, long afterSeq, ObjectMapper json) {
    var shown = json.createObjectNode().put("job_id", job.jobId()).put("status", job.status());
    var progress = shown.putArray("progress");
    for (var entry : job.progress()) {
      if (entry.path("progress_seq").longValue() > afterSeq) {
        progress.add(entry);
      }
    }
    shown.put("progress_cursor", Math.max(afterSeq, job.cursor()));
    shown.put("progress_has_more", false);
    shown.set("result", job.result() == null ? json.nullNode() : job.result());
    shown.put("next_job_id", job.next());
    return shown.put("followed", !job.ended() && job.followed());
  }
}
