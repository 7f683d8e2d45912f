package io.fengyu.scheduler.queue;

/** The statements of one turn, in their order. All run under the lock of the first. */
final class QueueSql {

  // Held to the end of the transaction. Every replica decides under it, so none decides on counts
  // that another one is changing.
  static final String LOCK = "SELECT pg_advisory_xact_lock(7305128412)";

  // Primary keys. Only the process that has a task can end it, and only once; a task whose end was
  // asked for ends as cancelled, whatever its body came to.
  static final String END =
      """
      WITH ended AS (
        UPDATE scheduler.task t
           SET status = CASE WHEN t.cancel_requested THEN 'cancelled' ELSE e.status END,
               output = CASE WHEN t.cancel_requested THEN NULL ELSE e.output END,
               error_code = CASE WHEN t.cancel_requested THEN NULL ELSE e.code END,
               request = NULL,
               completed_at = clock_timestamp()
          FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[])
               AS e (id, status, output, code)
         WHERE t.id = e.id AND t.executor = $1 AND t.status = 'running'
        RETURNING t.id, t.owner,
                  extract(epoch FROM t.completed_at - t.started_at) * 1000 AS ms),
      pace AS (
        UPDATE scheduler.task_pace p
           SET mean_ms = coalesce(p.mean_ms * 0.8 + m.ms * 0.2, m.ms)
          FROM (SELECT avg(ms)::float8 AS ms FROM ended) m
         WHERE m.ms IS NOT NULL)
      SELECT id, owner, pg_notify('fengyu_task_end', id::text) FROM ended""";

  // Primary keys. A queued task ends here and now; a running one is marked, and whoever executes
  // it is told.
  static final String KILL =
      """
      WITH killed AS (
        UPDATE scheduler.task t
           SET cancel_requested = true,
               status = CASE WHEN t.status = 'queued' THEN 'cancelled' ELSE t.status END,
               completed_at = CASE WHEN t.status = 'queued' THEN clock_timestamp() END,
               request = CASE WHEN t.status = 'queued' THEN NULL ELSE t.request END
          FROM unnest($1::uuid[], $2::text[]) AS k (id, owner)
         WHERE t.id = k.id AND t.owner = k.owner AND t.completed_at IS NULL
        RETURNING t.id, t.owner, t.priority, t.status = 'cancelled' AS was_queued,
                  extract(epoch FROM t.completed_at - t.created_at) * 1000 AS waited_ms)
      SELECT id, owner, priority, was_queued, waited_ms::float8 AS waited_ms,
             pg_notify(CASE WHEN was_queued THEN 'fengyu_task_end' ELSE 'fengyu_task_kill' END,
                       id::text)
        FROM killed""";

  // Index-only over what runs (task_running), and the ring, which is as small as the owners who
  // wait.
  static final String STATE =
      """
      SELECT r.running, o.owner, o.turn, o.place, o.interactive, o.normal, o.batch
        FROM (SELECT count(*)::int AS running
                FROM scheduler.task WHERE status = 'running') r
        LEFT JOIN scheduler.task_owner o ON true
       ORDER BY o.turn""";

  // Primary keys.
  static final String KNOWN = "SELECT id, owner FROM scheduler.task WHERE id = ANY ($1::uuid[])";

  // Heads of lanes by task_lane; owners by their primary key. The number of an admitted task is
  // given in the order in which it came.
  static final String STORE =
      """
      WITH taken AS (
        UPDATE scheduler.task t
           SET status = 'running', executor = $1, started_at = clock_timestamp()
          FROM unnest($2::text[], $3::text[], $4::int[]) AS p (owner, priority, amount)
         CROSS JOIN LATERAL (SELECT q.id
                               FROM scheduler.task q
                              WHERE q.status = 'queued'
                                AND q.owner = p.owner AND q.priority = p.priority
                              ORDER BY q.number
                              LIMIT p.amount) head
         WHERE t.id = head.id
        RETURNING t.id, t.owner, t.kind, t.priority, t.workflow_id, t.request, t.created_at,
                  t.started_at, t.number),
      made AS (
        INSERT INTO scheduler.task
               (id, owner, kind, priority, workflow_id, description, request, created_at, status,
                executor, started_at)
        SELECT n.id, n.owner, n.kind, n.priority, n.workflow_id, n.description, n.request,
               n.at, CASE WHEN n.starts THEN 'running' ELSE 'queued' END,
               CASE WHEN n.starts THEN $1 END, CASE WHEN n.starts THEN n.at END
          FROM (SELECT *, clock_timestamp() AS at
                  FROM unnest($5::uuid[], $6::text[], $7::text[], $8::text[], $9::text[],
                              $10::text[], $11::text[], $12::boolean[]) WITH ORDINALITY
                       AS u (id, owner, kind, priority, workflow_id, description, request, starts,
                             place)
                 ORDER BY u.place) n
         ORDER BY n.place
        RETURNING id, owner, kind, priority, workflow_id, request, created_at, started_at, number),
      gone AS (
        DELETE FROM scheduler.task_owner WHERE owner = ANY ($13::text[])),
      moved AS (
        INSERT INTO scheduler.task_owner (owner, turn, place, interactive, normal, batch)
        SELECT * FROM unnest($14::text[], $15::bigint[], $16::smallint[], $17::int[], $18::int[],
                             $19::int[])
        ON CONFLICT (owner) DO UPDATE
          SET turn = excluded.turn, place = excluded.place, interactive = excluded.interactive,
              normal = excluded.normal, batch = excluded.batch)
      SELECT * FROM taken
       UNION ALL
      SELECT * FROM made WHERE started_at IS NOT NULL
       ORDER BY number""";

  private QueueSql() {}
}
