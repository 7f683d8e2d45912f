-- Jobs that tools have accepted for runs, as they were last heard of.
CREATE TABLE agent.job (
  run_id           uuid        NOT NULL,
  tool             text        NOT NULL,
  job_id           text        NOT NULL,  -- as its server calls it
  owner            text        NOT NULL,
  parent_id        text,                  -- the job that handed over to this one
  invocation_id    uuid        NOT NULL,  -- the call; the same for all jobs of a chain
  generation       int         NOT NULL,  -- an older stage of the run changes nothing
  status           text        NOT NULL,
  progress         text        NOT NULL DEFAULT '[]',  -- JSON; the latest hundred steps
  progress_cursor  bigint      NOT NULL DEFAULT 0,
  next_job_id      text,
  result           text,                  -- JSON; null also when it is long
  cancel_requested boolean     NOT NULL DEFAULT false,
  created_at       timestamptz NOT NULL DEFAULT now(),
  updated_at       timestamptz NOT NULL DEFAULT now(),
  ended_at         timestamptz,
  PRIMARY KEY (run_id, tool, job_id),
  CONSTRAINT job_status CHECK (status IN ('queued', 'running', 'done', 'failed', 'cancelled'))
);

-- A job by its id, newest first.
CREATE INDEX job_of_owner ON agent.job (owner, job_id, created_at DESC);
