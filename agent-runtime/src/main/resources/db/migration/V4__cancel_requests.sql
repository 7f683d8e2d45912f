-- Requests to stop a run, each with an id of its own; what became of one is read from its run.
CREATE TABLE agent.cancel_request (
  owner            text        NOT NULL,
  request_id       text        NOT NULL,
  run_id           uuid,
  start_request_id text,
  seen_audit       int         NOT NULL,  -- how far the run's journal was; what ended by then is no part
  created_at       timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (owner, request_id),
  CONSTRAINT cancel_request_target CHECK (num_nonnulls(run_id, start_request_id) = 1)
);

-- The sweep of old ones.
CREATE INDEX cancel_request_age ON agent.cancel_request (created_at);

-- A start that was cancelled before it arrived has neither content nor run.
ALTER TABLE agent.start_request
  ALTER COLUMN fingerprint DROP NOT NULL,
  ALTER COLUMN run_id DROP NOT NULL,
  ADD COLUMN cancelled_at timestamptz,
  ADD COLUMN refused_at timestamptz,  -- a start of this id came later, and was turned away
  ADD CONSTRAINT start_request_begun_or_cancelled CHECK
    (cancelled_at IS NOT NULL OR run_id IS NOT NULL AND fingerprint IS NOT NULL);

-- Whether a run may still be made, asked by the statement that makes it.
CREATE UNIQUE INDEX start_request_run ON agent.start_request (run_id) WHERE run_id IS NOT NULL;
