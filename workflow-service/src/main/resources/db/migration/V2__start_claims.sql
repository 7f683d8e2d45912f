-- Runs by hand whose caller gave a key or an id: whoever inserts the row starts the run, and what
-- the first caller was told is kept for the next.
CREATE TABLE workflow.start_claim (
  owner        text        NOT NULL,
  route        text        NOT NULL,  -- what the key is good for
  key_digest   bytea       NOT NULL,  -- SHA-256; the key itself is not kept
  fingerprint  text,                  -- of the body; null when cancelled before it came
  holder       uuid,                  -- the attempt that may begin; null when the next one may
  operation    uuid,                  -- of the start, whoever holds it; the runtime knows it by that
  subject      uuid,                  -- what was started, if that has an id
  status       int,                   -- null until something was started
  answer       text,                  -- JSON
  claimed_at   timestamptz NOT NULL DEFAULT now(),
  cancelled_at timestamptz,
  refused_at   timestamptz,           -- a start came after the cancel, and was turned away
  PRIMARY KEY (owner, route, key_digest),
  CONSTRAINT start_claim_digest CHECK (octet_length(key_digest) = 32),
  CONSTRAINT start_claim_begun_or_cancelled CHECK
    (cancelled_at IS NOT NULL OR fingerprint IS NOT NULL AND operation IS NOT NULL),
  CONSTRAINT start_claim_answered CHECK ((status IS NULL) = (answer IS NULL))
);

-- The sweep of old ones.
CREATE INDEX start_claim_age ON workflow.start_claim (claimed_at);
