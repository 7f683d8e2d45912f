-- What a trigger starts, and what came of it.
ALTER TABLE webhook.trigger
  ADD COLUMN default_inputs   text        NOT NULL DEFAULT '{}',  -- JSON
  ADD COLUMN permission_mode  text        NOT NULL DEFAULT 'ask-for-approval',
  ADD COLUMN sandbox_profile  text        NOT NULL DEFAULT 'sandboxed',
  ADD COLUMN signature_scheme text,
  ADD COLUMN signature_secret text,                   -- sealed: a digest cannot verify a signature
  ADD COLUMN fires            bigint      NOT NULL DEFAULT 0,
  ADD COLUMN last_fire_at     timestamptz,
  ADD COLUMN last_task_id     uuid,
  ADD COLUMN last_error       text,
  ADD CONSTRAINT trigger_signature CHECK
    ((signature_scheme IS NULL) = (signature_secret IS NULL));

-- One row a delivery; its id is the id of its task, so that it is admitted once however often that
-- is tried.
CREATE TABLE webhook.delivery (
  id           uuid        PRIMARY KEY,
  trigger_id   uuid        NOT NULL REFERENCES webhook.trigger ON DELETE CASCADE,
  owner        text        NOT NULL,
  state        text        NOT NULL DEFAULT 'CLAIMED',
  gateway      uuid        NOT NULL,  -- the replica that took it
  keyed        boolean     NOT NULL,  -- it came with an event id
  accepted_at  timestamptz NOT NULL DEFAULT now(),
  completed_at timestamptz,           -- null until the end
  error        text,
  CONSTRAINT delivery_state CHECK (state IN
    ('CLAIMED', 'QUEUED', 'SUBMITTED', 'COMPLETED', 'FAILED', 'CANCELLED', 'INTERRUPTED')),
  CONSTRAINT delivery_end CHECK ((completed_at IS NOT NULL) =
    (state IN ('COMPLETED', 'FAILED', 'CANCELLED', 'INTERRUPTED')))
) WITH (fillfactor = 80);

-- The audit, newest first, and its trimming.
CREATE INDEX delivery_by_trigger ON webhook.delivery (trigger_id, accepted_at DESC, id);
-- What is not over; as small as what runs.
CREATE INDEX delivery_open ON webhook.delivery (accepted_at) WHERE completed_at IS NULL;

-- Which event became which delivery. The key lets one event become one delivery only; the digest
-- stands nowhere else.
CREATE TABLE webhook.event_claim (
  trigger_id   uuid  NOT NULL,
  event_digest bytea NOT NULL,
  delivery_id  uuid  NOT NULL UNIQUE REFERENCES webhook.delivery ON DELETE CASCADE,
  PRIMARY KEY (trigger_id, event_digest),
  CONSTRAINT event_claim_digest CHECK (octet_length(event_digest) = 32)
);
