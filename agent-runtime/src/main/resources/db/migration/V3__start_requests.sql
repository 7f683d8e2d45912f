-- Requests to start a run that carry an id of their own: whoever inserts the row starts the run.
CREATE TABLE agent.start_request (
  owner       text        NOT NULL,
  request_id  text        NOT NULL,
  fingerprint text        NOT NULL,  -- SHA-256, hex, of the canonical body without the id
  run_id      uuid        NOT NULL,
  created_at  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (owner, request_id)
);

-- The sweep of old ones.
CREATE INDEX start_request_age ON agent.start_request (created_at);
