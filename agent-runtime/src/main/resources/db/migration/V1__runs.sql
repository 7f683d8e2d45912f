-- Runs and their journal. The journal (run_event) is the truth; a run's row holds what changes
-- together with it and what lists and locks need.

-- One row per process that executes runs: the lease of all of them, renewed by one small update.
CREATE TABLE agent.executor (
  id          uuid        PRIMARY KEY,
  address     text        NOT NULL,  -- a process started at the same address proves this one dead
  lease_until timestamptz NOT NULL   -- by the clock of the database
) WITH (fillfactor = 50);

CREATE TABLE agent.run (
  id                 uuid        PRIMARY KEY,
  owner              text        NOT NULL,
  session_id         text,
  goal               text        NOT NULL,
  status             text        NOT NULL,
  config             text        NOT NULL,            -- JSON; text, since jsonb refuses \u0000
  plan               text,
  inputs             text,
  summary            text,
  error              text,
  interrupted        boolean     NOT NULL DEFAULT false,
  resumed_from       uuid,
  sandbox_profile    text        NOT NULL,
  cancel_status      text        NOT NULL DEFAULT 'none',
  execution_stopped  boolean     NOT NULL DEFAULT false,
  terminal_persisted boolean     NOT NULL DEFAULT false,  -- the end, or the pause, was read back
  generation         int         NOT NULL DEFAULT 1,
  revision           int         NOT NULL DEFAULT 1,
  gate_id            text,
  pending_gate       text,
  released_gate      text,                            -- the last gate that was decided, and how
  released_decision  text,
  executor           uuid,                            -- null while paused and after the end
  next_seq           bigint      NOT NULL DEFAULT 0,  -- right while nobody executes the run
  next_audit         int         NOT NULL DEFAULT 0,  -- likewise
  window_start       bigint      NOT NULL DEFAULT 0,  -- events before it were swept
  swept              boolean     NOT NULL DEFAULT false,
  created_at         timestamptz NOT NULL DEFAULT now(),
  updated_at         timestamptz NOT NULL DEFAULT now(),
  completed_at       timestamptz,
  CONSTRAINT run_status CHECK (status IN
    ('PLANNING', 'AWAITING_PLAN_APPROVAL', 'AWAITING_STEP_APPROVAL', 'EXECUTING',
     'COMPLETED', 'FAILED', 'CANCELLED')),
  CONSTRAINT run_cancel_status CHECK (cancel_status IN ('none', 'requested', 'stopping', 'confirmed')),
  CONSTRAINT run_paused_has_gate CHECK (status NOT LIKE 'AWAITING%' OR gate_id IS NOT NULL),
  CONSTRAINT run_executed_by_somebody CHECK (status NOT IN ('PLANNING', 'EXECUTING') OR executor IS NOT NULL)
) WITH (fillfactor = 80);

-- The history list of an owner.
CREATE INDEX run_history ON agent.run (owner, updated_at DESC, id DESC);
-- The runs of a conversation, newest first.
CREATE INDEX run_session ON agent.run (owner, session_id, created_at DESC) WHERE session_id IS NOT NULL;
-- One active run per conversation, whatever the code thinks.
CREATE UNIQUE INDEX run_session_active ON agent.run (owner, session_id)
  WHERE session_id IS NOT NULL AND (completed_at IS NULL OR NOT terminal_persisted);
-- What a dead executor left behind; as small as what runs right now.
CREATE INDEX run_executed ON agent.run (executor) WHERE executor IS NOT NULL;
-- Ends that nobody has read back yet; almost always empty.
CREATE INDEX run_unconfirmed ON agent.run (completed_at) WHERE completed_at IS NOT NULL AND NOT terminal_persisted;
-- The sweep of old fragments.
CREATE INDEX run_unswept ON agent.run (completed_at) WHERE completed_at IS NOT NULL AND NOT swept;

-- Streamed events have seq >= 0, without a hole; those only the audit shows have -1 - audit_seq.
CREATE TABLE agent.run_event (
  run_id     uuid        NOT NULL,
  seq        bigint      NOT NULL,
  audit_seq  int,                    -- null when the audit does not show it
  type       text        NOT NULL,
  data       text        NOT NULL,   -- JSON object, without seq
  created_at timestamptz NOT NULL,
  PRIMARY KEY (run_id, seq)
);

-- What a tool with effects was asked to do, written before it was asked.
CREATE TABLE agent.receipt (
  invocation_id uuid        PRIMARY KEY,
  run_id        uuid        NOT NULL,
  step          int         NOT NULL,
  attempt       int         NOT NULL,
  tool          text        NOT NULL,
  effect        text        NOT NULL,
  args_hash     text        NOT NULL,  -- SHA-256, hex; the arguments themselves are not kept here
  state         text        NOT NULL,
  intended_at   timestamptz NOT NULL,
  settled_at    timestamptz,
  CONSTRAINT receipt_state CHECK (state IN ('intended', 'done', 'failed', 'unknown'))
);

-- The receipts of a run in order, and "was this call made before".
CREATE INDEX receipt_of_run ON agent.receipt (run_id, intended_at, step, attempt);

-- A chat turn that holds a conversation; runs hold theirs by their own rows.
CREATE TABLE agent.chat_turn (
  owner      text        NOT NULL,
  session_id text        NOT NULL,
  turn_id    text        NOT NULL,
  since      timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (owner, session_id)
);

-- The lock under which a conversation changes hands; held for the rest of the transaction.
CREATE FUNCTION agent.lock_session(for_owner text, for_session text) RETURNS void
  LANGUAGE sql VOLATILE
  AS $$ SELECT pg_advisory_xact_lock(hashtextextended(for_owner || E'\n' || for_session, 7)) $$;

-- Called by chat-service in its own transaction: false when a run or another turn holds the
-- conversation.
CREATE FUNCTION agent.begin_run(for_owner text, for_session text, for_turn text) RETURNS boolean
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, agent
  AS $$
BEGIN
  PERFORM agent.lock_session(for_owner, for_session);
  IF EXISTS (SELECT FROM agent.run
              WHERE owner = for_owner AND session_id = for_session
                AND (completed_at IS NULL OR NOT terminal_persisted)) THEN
    RETURN false;
  END IF;
  INSERT INTO agent.chat_turn (owner, session_id, turn_id)
  VALUES (for_owner, for_session, for_turn)
  ON CONFLICT DO NOTHING;
  RETURN EXISTS (SELECT FROM agent.chat_turn
                  WHERE owner = for_owner AND session_id = for_session AND turn_id = for_turn);
END $$;

-- Gives the conversation back; a turn that does not hold it changes nothing.
CREATE FUNCTION agent.end_run(for_owner text, for_session text, for_turn text) RETURNS void
  LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, agent
  AS $$
  DELETE FROM agent.chat_turn
   WHERE owner = for_owner AND session_id = for_session AND turn_id = for_turn $$;

REVOKE ALL ON FUNCTION agent.begin_run(text, text, text), agent.end_run(text, text, text) FROM PUBLIC;
GRANT USAGE ON SCHEMA agent TO ${chatRole};
GRANT EXECUTE ON FUNCTION agent.begin_run(text, text, text), agent.end_run(text, text, text) TO ${chatRole};
