-- What all services share: owners and their tokens, live instances, one-time stream tickets.

CREATE TABLE platform.app_user (
  id           text        PRIMARY KEY,
  display_name text        NOT NULL,
  role         text        NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT app_user_role CHECK (role IN ('user', 'admin')),
  CONSTRAINT app_user_id CHECK (id ~ '^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$')
);

CREATE TABLE platform.api_token (
  id         uuid        PRIMARY KEY,
  digest     bytea       NOT NULL,  -- SHA-256; the token itself is stored nowhere
  user_id    text        NOT NULL REFERENCES platform.app_user (id) ON DELETE CASCADE,
  label      text        NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz,           -- null for a token that does not expire
  CONSTRAINT api_token_digest CHECK (octet_length(digest) = 32)
);

-- Read by authentication, one probe per unknown token.
CREATE UNIQUE INDEX api_token_by_digest ON platform.api_token (digest);
-- Read by the list of a user's tokens and by the cascade of a user's deletion.
CREATE INDEX api_token_by_user ON platform.api_token (user_id, created_at);

-- One row per process, from its start to its end; times are the database's.
CREATE TABLE platform.instances (
  id           uuid        PRIMARY KEY,
  service      text        NOT NULL,
  address      text        NOT NULL,
  started_at   timestamptz NOT NULL DEFAULT now(),
  heartbeat_at timestamptz NOT NULL DEFAULT now()
);

-- Read by every heartbeat (live replicas of a service) and by the sweep of old rows.
CREATE INDEX instances_by_heartbeat ON platform.instances (service, heartbeat_at);

CREATE TABLE platform.stream_ticket (
  digest     bytea       PRIMARY KEY,  -- SHA-256 of the ticket
  owner      text        NOT NULL,
  admin      boolean     NOT NULL,
  endpoint   text        NOT NULL,     -- the one path it opens
  expires_at timestamptz NOT NULL,
  CONSTRAINT stream_ticket_digest CHECK (octet_length(digest) = 32)
);

-- Read by the sweep of expired tickets.
CREATE INDEX stream_ticket_by_expiry ON platform.stream_ticket (expires_at);

GRANT USAGE ON SCHEMA platform TO ${serviceRole};
GRANT SELECT ON platform.app_user, platform.api_token TO ${serviceRole};
GRANT INSERT, UPDATE, DELETE ON platform.app_user, platform.api_token TO ${chatRole};
GRANT SELECT, INSERT, UPDATE, DELETE ON platform.instances TO ${serviceRole};
GRANT SELECT, INSERT, DELETE ON platform.stream_ticket TO ${serviceRole};
