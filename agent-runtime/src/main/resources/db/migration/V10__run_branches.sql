-- What was at work in a run, beside its steps, when its end was asked for; written by the process
-- that executes it. A branch without an end has ended when its run has.
CREATE TABLE agent.run_branch (
  run_id     uuid        NOT NULL,
  kind       text        NOT NULL,
  id         text        NOT NULL,
  started_at timestamptz NOT NULL,
  ended_at   timestamptz,
  PRIMARY KEY (run_id, started_at, kind, id)
);
