-- Schedules: when a published workflow runs without anybody asking.
CREATE TABLE scheduler.schedule (
  id          uuid        PRIMARY KEY,
  owner       text        NOT NULL,
  workflow_id text        NOT NULL,
  status      text        NOT NULL DEFAULT 'active',
  created_at  timestamptz NOT NULL DEFAULT now(),
  ended_at    timestamptz,  -- null while it can still fire
  CONSTRAINT schedule_status CHECK (status IN ('active', 'paused', 'expired', 'cancelled')),
  CONSTRAINT schedule_end CHECK ((ended_at IS NULL) = (status IN ('active', 'paused')))
);

-- Read by the deletion of a workflow; as small as the set of live schedules.
CREATE INDEX schedule_live_by_workflow ON scheduler.schedule (workflow_id)
  WHERE status IN ('active', 'paused');
-- Read by an owner's list, newest first.
CREATE INDEX schedule_by_owner ON scheduler.schedule (owner, created_at DESC, id);

-- Called by workflow-service inside the transaction that deletes the workflow: both happen or
-- neither. Answers how many schedules it ended.
CREATE FUNCTION scheduler.cancel_for_workflow(workflow text) RETURNS integer
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp
AS $$
  WITH cancelled AS (
    UPDATE scheduler.schedule
       SET status = 'cancelled', ended_at = now()
     WHERE workflow_id = workflow AND status IN ('active', 'paused')
    RETURNING 1)
  SELECT count(*)::integer FROM cancelled
$$;

REVOKE ALL ON FUNCTION scheduler.cancel_for_workflow(text) FROM PUBLIC;
GRANT USAGE ON SCHEMA scheduler TO ${workflowRole};
GRANT EXECUTE ON FUNCTION scheduler.cancel_for_workflow(text) TO ${workflowRole};
