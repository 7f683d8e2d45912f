-- Background tasks: one row a task, from its admission to the end of its owner's memory of it.
CREATE TABLE scheduler.task (
  id               uuid        PRIMARY KEY,
  number           bigint      GENERATED ALWAYS AS IDENTITY,  -- order of admission
  owner            text        NOT NULL,
  kind             text        NOT NULL,
  priority         text        NOT NULL,
  status           text        NOT NULL,
  workflow_id      text        NOT NULL,
  description      text        NOT NULL,
  request          text,                   -- JSON; what the body needs, null after the end
  created_at       timestamptz NOT NULL,
  started_at       timestamptz,            -- null for ever if it ended in the queue
  completed_at     timestamptz,
  executor         uuid,                   -- the process that has or had it
  run_id           uuid,
  cancel_requested boolean     NOT NULL DEFAULT false,
  output           text,
  error_code       text,
  CONSTRAINT task_priority CHECK (priority IN ('interactive', 'normal', 'batch')),
  CONSTRAINT task_status CHECK (status IN ('queued', 'running', 'completed', 'failed', 'cancelled')),
  CONSTRAINT task_started CHECK (status <> 'queued' OR started_at IS NULL),
  CONSTRAINT task_running_has_executor CHECK (status <> 'running' OR executor IS NOT NULL AND started_at IS NOT NULL),
  CONSTRAINT task_end CHECK ((completed_at IS NOT NULL) = (status IN ('completed', 'failed', 'cancelled')))
) WITH (fillfactor = 70);

-- The heads of lanes, and how long the oldest waits; as small as the queue, whatever the history.
CREATE INDEX task_lane ON scheduler.task (owner, priority, number) WHERE status = 'queued';
-- How many run, which ones are whose, and what a dead process left.
CREATE INDEX task_running ON scheduler.task (executor) WHERE status = 'running';
-- An owner's list: what is not over, and the newest of what is.
CREATE INDEX task_open ON scheduler.task (owner, number) WHERE completed_at IS NULL;
CREATE INDEX task_ended ON scheduler.task (owner, completed_at DESC, number DESC) WHERE completed_at IS NOT NULL;

-- The ring of owners with something queued. Written under the queue's lock only.
CREATE TABLE scheduler.task_owner (
  owner       text     PRIMARY KEY,
  turn        bigint   NOT NULL,            -- the lowest has the next slot
  place       smallint NOT NULL,            -- in the cycle I I I I N N B: the next to look at
  interactive int      NOT NULL,            -- how many are queued
  normal      int      NOT NULL,
  batch       int      NOT NULL,
  CONSTRAINT task_owner_place CHECK (place BETWEEN 0 AND 6),
  CONSTRAINT task_owner_counts CHECK (interactive >= 0 AND normal >= 0 AND batch >= 0),
  CONSTRAINT task_owner_has_some CHECK (interactive + normal + batch > 0)
) WITH (fillfactor = 50);

-- One row: how long bodies have been running lately, to tell when a queued one may start.
CREATE TABLE scheduler.task_pace (
  id      int    PRIMARY KEY DEFAULT 1,
  mean_ms float8,                           -- null until one ended
  CONSTRAINT task_pace_single CHECK (id = 1)
) WITH (fillfactor = 50);
INSERT INTO scheduler.task_pace DEFAULT VALUES;

-- Starts whose caller gave a key: whoever inserts the row does the work, and what the first caller
-- was told is kept for the next.
CREATE TABLE IF NOT EXISTS scheduler.start_claim (
  owner        text        NOT NULL,
  route        text        NOT NULL,  -- what the key is good for
  key_digest   bytea       NOT NULL,  -- SHA-256; the key itself is not kept
  fingerprint  text,                  -- of the body; null when cancelled before it came
  holder       uuid,                  -- the attempt that may begin; null when the next one may
  operation    uuid,                  -- of the start, whoever holds it; the task's id
  subject      uuid,
  status       int,                   -- null until something was started
  answer       text,                  -- JSON
  claimed_at   timestamptz NOT NULL DEFAULT now(),
  cancelled_at timestamptz,
  refused_at   timestamptz,
  PRIMARY KEY (owner, route, key_digest),
  CONSTRAINT start_claim_digest CHECK (octet_length(key_digest) = 32),
  CONSTRAINT start_claim_begun_or_cancelled CHECK
    (cancelled_at IS NOT NULL OR fingerprint IS NOT NULL AND operation IS NOT NULL),
  CONSTRAINT start_claim_answered CHECK ((status IS NULL) = (answer IS NULL))
);

-- The sweep of old ones.
CREATE INDEX IF NOT EXISTS start_claim_age ON scheduler.start_claim (claimed_at);
