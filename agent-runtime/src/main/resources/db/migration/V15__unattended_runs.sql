-- Runs that nobody watches: their gates end by themselves, and whoever started them is told of
-- their end.
ALTER TABLE agent.run ADD COLUMN unattended boolean NOT NULL DEFAULT false;

-- Gates that wait too long; almost always empty.
CREATE INDEX run_unattended_gate ON agent.run (gate_opened_at) WHERE gate_id IS NOT NULL AND unattended;

CREATE FUNCTION agent.announce_task_run() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM pg_notify('agent_task_run', NEW.id::text);
  RETURN NULL;
END
$$;

CREATE TRIGGER run_of_task_ended
  AFTER UPDATE OF completed_at ON agent.run
  FOR EACH ROW WHEN (NEW.unattended AND OLD.completed_at IS NULL AND NEW.completed_at IS NOT NULL)
  EXECUTE FUNCTION agent.announce_task_run();
