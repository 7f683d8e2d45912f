-- Calls that start work and carry a key, an id or an operation: whoever inserts the row does the
-- work, and what the first caller was told is kept for the next. Takes over from start_request,
-- which programs of the release before still use during an upgrade.
CREATE TABLE agent.start_claim (
  owner        text        NOT NULL,
  route        text        NOT NULL,  -- what the key is good for
  key_digest   bytea       NOT NULL,  -- SHA-256; the key itself is not kept
  fingerprint  text,                  -- of the body; null when cancelled before it came
  holder       uuid,                  -- the attempt that may begin; null when the next one may
  operation    uuid,                  -- of the start, whoever holds it
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
CREATE INDEX start_claim_age ON agent.start_claim (claimed_at);

INSERT INTO agent.start_claim
       (owner, route, key_digest, fingerprint, operation, subject, status, answer, claimed_at,
        cancelled_at, refused_at)
SELECT s.owner, 'start_request_id', sha256(convert_to(s.request_id, 'UTF8')), s.fingerprint,
       s.run_id, r.id, CASE WHEN r.id IS NOT NULL THEN 200 END,
       CASE WHEN r.id IS NOT NULL THEN json_build_object('runId', r.id)::text END, s.created_at,
       s.cancelled_at, s.refused_at
  FROM agent.start_request s
  LEFT JOIN agent.run r ON r.id = s.run_id;
