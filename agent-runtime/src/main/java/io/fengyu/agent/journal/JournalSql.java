package io.fengyu.agent.journal;

/** The statements of group commit; one round trip and one commit for everything that is queued. */
final class JournalSql {

  // Who may write. Locking the executor's own row (primary key) is enough: whoever takes runs away
  // from a dead executor deletes that row first, so either we see it gone, or he waits for this
  // commit. IS TRUE keeps the planner from walking all runs of the executor instead (run_executed).
  // The run rows are probed by primary key and not locked, which keeps 256 runs as cheap
  // as one. All or nothing: when one run is lost, nothing is written, and the caller leaves it out
  // and sends the rest again; the good case needs no join.
  private static final String FENCE =
      """
      WITH me AS (
        SELECT id FROM agent.executor WHERE id = $1 FOR KEY SHARE),
      held AS (
        SELECT r.id
          FROM unnest($2::uuid[], $3::int[]) AS l (id, generation)
          JOIN agent.run r ON r.id = l.id AND r.generation = l.generation
         WHERE (r.executor = (SELECT id FROM me)) IS TRUE),
      """;

  private static final String OK =
      """
      ok AS (
        SELECT count(*) = cardinality($2::uuid[]) AS all_held FROM held),
      """;

  // A cancel that was accepted beats an end that was not yet written. The row is locked, so that
  // of the two exactly one comes first; a cancel that comes second finds the run ended.
  private static final String OK_UNLESS_CANCELLED =
      """
      ending AS (
        SELECT c.run_id FROM unnest($11::uuid[], $12::text[]) AS c (run_id, status)
         WHERE c.status IN ('COMPLETED', 'FAILED')),
      uncancelled AS (
        SELECT r.id FROM agent.run r
         WHERE r.id IN (SELECT run_id FROM ending) AND r.cancel_status = 'none'
           FOR NO KEY UPDATE),
      ok AS (
        SELECT count(*) = cardinality($2::uuid[])
               AND (SELECT count(*) FROM ending) = (SELECT count(*) FROM uncancelled) AS all_held
          FROM held),
      """;

  // Doing nothing on conflict makes a repetition after a lost answer harmless: the numbers are
  // ours alone, so a row that is there already is this very row.
  private static final String EVENTS =
      """
      events AS (
        INSERT INTO agent.run_event (run_id, seq, audit_seq, type, data, created_at)
        SELECT e.run_id, e.seq, nullif(e.audit_seq, -1), e.type, e.data, e.created_at
          FROM unnest($4::uuid[], $5::bigint[], $6::int[], $7::text[], $8::text[], $9::timestamptz[])
               AS e (run_id, seq, audit_seq, type, data, created_at)
         WHERE (SELECT all_held FROM ok)
            ON CONFLICT (run_id, seq) DO NOTHING)
      """;

  private static final String CHANGES =
      """
      , runs AS (
        UPDATE agent.run r
           SET status = coalesce(c.status, r.status),
               plan = coalesce(c.plan, r.plan),
               gate_id = c.gate_id,
               pending_gate = c.gate,
               summary = c.summary,
               error = c.error,
               interrupted = c.interrupted,
               executor = CASE WHEN c.closing THEN NULL ELSE r.executor END,
               execution_stopped = c.closing,
               terminal_persisted = false,
               completed_at = CASE WHEN c.ended THEN now() END,
               updated_at = now(),
               revision = r.revision + c.steps,
               next_seq = c.next_seq,
               next_audit = c.next_audit
          FROM unnest($11::uuid[], $12::text[], $13::text[], $14::text[], $15::text[], $16::text[],
                      $17::text[], $18::boolean[], $19::boolean[], $20::boolean[], $21::int[],
                      $22::bigint[], $23::int[])
               AS c (run_id, status, plan, gate_id, gate, summary, error, interrupted, closing,
                     ended, steps, next_seq, next_audit)
         WHERE r.id = c.run_id AND (SELECT all_held FROM ok)),
      intended AS (
        INSERT INTO agent.receipt
               (invocation_id, run_id, step, attempt, tool, effect, args_hash, state, intended_at,
                settled_at)
        SELECT i.id, i.run_id, i.step, i.attempt, i.tool, i.effect, i.args_hash, i.state, i.at,
               CASE WHEN i.state <> 'intended' THEN i.at END
          FROM unnest($24::uuid[], $25::uuid[], $26::int[], $27::int[], $28::text[], $29::text[],
                      $30::text[], $31::text[], $32::timestamptz[])
               AS i (id, run_id, step, attempt, tool, effect, args_hash, state, at)
         WHERE (SELECT all_held FROM ok)
            ON CONFLICT (invocation_id) DO NOTHING),
      settled AS (
        UPDATE agent.receipt p
           SET state = o.state, settled_at = o.at
          FROM unnest($33::uuid[], $34::text[], $35::timestamptz[]) AS o (id, state, at)
         WHERE p.invocation_id = o.id AND (SELECT all_held FROM ok)),
      files AS (
        INSERT INTO agent.run_file (run_id, path, location, size, step, created_at)
        SELECT f.run_id, f.path, f.location, f.size, f.step, f.at
          FROM unnest($36::uuid[], $37::text[], $38::text[], $39::bigint[], $40::int[],
                      $41::timestamptz[]) AS f (run_id, path, location, size, step, at)
         WHERE (SELECT all_held FROM ok)
            ON CONFLICT (run_id, path) DO UPDATE
           SET location = excluded.location, size = excluded.size, step = excluded.step,
               created_at = excluded.created_at)
      """;

  // Ids only, and only when another replica lives: announcing takes a lock that all commits share.
  private static final String RESULT =
      """
      SELECT h.id, ok.all_held, false AS cancelled,
             CASE WHEN $10::boolean AND ok.all_held THEN pg_notify('agent_run', h.id::text) END
        FROM held h, ok""";

  private static final String RESULT_OF_ENDS =
      """
      SELECT h.id, ok.all_held,
             EXISTS (SELECT FROM ending WHERE run_id = h.id)
               AND NOT EXISTS (SELECT FROM uncancelled u WHERE u.id = h.id) AS cancelled,
             CASE WHEN $10::boolean AND ok.all_held THEN pg_notify('agent_run', h.id::text) END
        FROM held h, ok""";

  /** Events alone, which is what most batches are. */
  static final String APPEND = FENCE + OK + EVENTS + RESULT;

  /** Events, run rows, receipts and files. */
  static final String APPEND_AND_CHANGE =
      FENCE + OK_UNLESS_CANCELLED + EVENTS + CHANGES + RESULT_OF_ENDS;

  // A second, later transaction compares what it finds with what was meant. Losing this very
  // update in a crash costs nothing, the comparison is made again: it need not wait for the disk.
  static final String CONFIRM =
      """
      WITH no_wait AS MATERIALIZED (
        SELECT set_config('synchronous_commit', 'off', true) AS value)
      UPDATE agent.run r
         SET terminal_persisted = true,
             cancel_status = CASE WHEN r.cancel_status <> 'none' AND r.completed_at IS NOT NULL
                                  THEN 'confirmed' ELSE r.cancel_status END
        FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::text[])
             AS e (run_id, status, summary, error, seq, data), no_wait
       WHERE r.id = e.run_id AND r.status = e.status
         AND r.summary IS NOT DISTINCT FROM e.summary AND r.error IS NOT DISTINCT FROM e.error
         AND no_wait.value = 'off'
         AND (e.seq IS NULL OR EXISTS (
               SELECT FROM agent.run_event v
                WHERE v.run_id = e.run_id AND v.seq = e.seq AND v.data = e.data))
      RETURNING r.id""";

  // After an answer was lost: is the batch in? A statement is all or nothing, so one event tells.
  static final String ARRIVED =
      """
      SELECT e.run_id
        FROM unnest($1::uuid[], $2::bigint[]) AS e (run_id, seq)
        JOIN agent.run_event v ON v.run_id = e.run_id AND v.seq = e.seq""";

  private JournalSql() {}
}
