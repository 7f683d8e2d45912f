-- The inbox of open gates, and what opened and closed, for those who watch.
ALTER TABLE agent.run ADD COLUMN gate_opened_at timestamptz;
UPDATE agent.run SET gate_opened_at = updated_at WHERE gate_id IS NOT NULL;

-- An owner's open gates, oldest first; as small as what waits right now.
CREATE INDEX run_open_gate ON agent.run (owner, gate_opened_at, id) WHERE gate_id IS NOT NULL;

-- Numbered when somebody first reads them, under a lock of the owner alone: numbers follow commits
-- without a hole, and who opens a gate waits for nobody.
CREATE TABLE agent.approval_event (
  id       bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  owner    text        NOT NULL,
  source   text        NOT NULL,  -- what waits: run, chat or task
  subject  text        NOT NULL,  -- which of them
  gate_id  text        NOT NULL,
  type     text        NOT NULL,
  outcome  text,                  -- what a gate was closed with
  at       timestamptz NOT NULL DEFAULT clock_timestamp(),
  position bigint,
  CONSTRAINT approval_event_source CHECK (source IN ('run', 'chat', 'task')),
  CONSTRAINT approval_event_type CHECK (type IN ('opened', 'closed')),
  CONSTRAINT approval_event_outcome CHECK ((type = 'closed') = (outcome IS NOT NULL))
);

-- Read from a cursor on.
CREATE UNIQUE INDEX approval_event_position ON agent.approval_event (owner, position)
  WHERE position IS NOT NULL;
-- What is to be numbered next.
CREATE INDEX approval_event_unread ON agent.approval_event (owner, id) WHERE position IS NULL;
-- The sweep of old ones.
CREATE INDEX approval_event_age ON agent.approval_event (at);

CREATE TABLE agent.approval_cursor (
  owner text   PRIMARY KEY,
  last  bigint NOT NULL,            -- the highest position given
  swept bigint NOT NULL DEFAULT 0   -- positions up to it may be gone
);

-- Whatever opens or closes a gate of a run, and for whatever reason, is noted with it.
CREATE FUNCTION agent.note_gate() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF OLD.gate_id IS NOT NULL THEN
    INSERT INTO agent.approval_event (owner, source, subject, gate_id, type, outcome)
    VALUES (OLD.owner, 'run', OLD.id::text, OLD.gate_id, 'closed',
            CASE WHEN NEW.released_gate IS DISTINCT FROM OLD.gate_id THEN 'cancelled'
                 WHEN NEW.released_decision LIKE 'edit:%' THEN 'approve'
                 ELSE split_part(NEW.released_decision, ':', 1) END);
  END IF;
  IF NEW.gate_id IS NOT NULL THEN
    NEW.gate_opened_at := clock_timestamp();
    INSERT INTO agent.approval_event (owner, source, subject, gate_id, type)
    VALUES (NEW.owner, 'run', NEW.id::text, NEW.gate_id, 'opened');
  ELSE
    NEW.gate_opened_at := NULL;
  END IF;
  PERFORM pg_notify('agent_approval', NEW.owner);
  RETURN NEW;
END
$$;

CREATE TRIGGER run_gate_changed
  BEFORE UPDATE OF gate_id ON agent.run
  FOR EACH ROW WHEN (OLD.gate_id IS DISTINCT FROM NEW.gate_id)
  EXECUTE FUNCTION agent.note_gate();
