-- What a schedule starts, when, and what came of it.
ALTER TABLE scheduler.schedule
  ADD COLUMN timing           text        NOT NULL DEFAULT '{}',  -- JSON: interval, calendar, flags
  ADD COLUMN inputs           text        NOT NULL DEFAULT '{}',
  ADD COLUMN permission_mode  text        NOT NULL DEFAULT 'ask-for-approval',
  ADD COLUMN sandbox_profile  text        NOT NULL DEFAULT 'sandboxed',
  ADD COLUMN next_fire_at     timestamptz,           -- null when there is none any more
  ADD COLUMN expires_at       timestamptz,           -- null when it lives until it is deleted
  ADD COLUMN held             boolean     NOT NULL DEFAULT false,  -- due, but the sandbox is weakened
  ADD COLUMN fires            bigint      NOT NULL DEFAULT 0,
  ADD COLUMN missed_fires     bigint      NOT NULL DEFAULT 0,
  ADD COLUMN last_fire_at     timestamptz,
  ADD COLUMN last_task_id     uuid,
  ADD COLUMN last_error       text,
  ADD COLUMN last_error_code  text,
  ADD COLUMN claimed_by       uuid,                  -- the replica that is submitting an occurrence
  ADD COLUMN claimed_task     uuid,                  -- the id its task gets
  ADD CONSTRAINT schedule_claim CHECK ((claimed_by IS NULL) = (claimed_task IS NULL)),
  DROP CONSTRAINT schedule_status,
  ADD CONSTRAINT schedule_status CHECK
    (status IN ('active', 'paused', 'completed', 'failed', 'expired', 'cancelled'));

-- Read by every look for what is due: the head of it.
CREATE INDEX schedule_due ON scheduler.schedule (next_fire_at)
  WHERE status = 'active' AND next_fire_at IS NOT NULL;
CREATE INDEX schedule_expiry ON scheduler.schedule (expires_at)
  WHERE status = 'active' AND expires_at IS NOT NULL;
-- Claims under way: as good as always empty.
CREATE INDEX schedule_claimed ON scheduler.schedule (claimed_by) WHERE claimed_by IS NOT NULL;

-- One row for each occurrence that was claimed; the key lets no occurrence be claimed twice.
CREATE TABLE scheduler.schedule_fire (
  schedule_id uuid        NOT NULL REFERENCES scheduler.schedule ON DELETE CASCADE,
  due_at      timestamptz NOT NULL,
  claimed_at  timestamptz NOT NULL,
  claimed_by  uuid        NOT NULL,
  task_id     uuid        NOT NULL UNIQUE,
  missed      bigint      NOT NULL,  -- due times that passed before the claim, this one not counted
  outcome     text        NOT NULL DEFAULT 'claimed',
  error_code  text,
  error       text,
  PRIMARY KEY (schedule_id, due_at),
  CONSTRAINT schedule_fire_outcome CHECK
    (outcome IN ('claimed', 'submitted', 'refused', 'interrupted'))
);
