-- Files: what callers handed in, what a run may touch, and what a run made.

-- A reference that a client holds; good for one plugin, and no longer than the process that made it.
CREATE TABLE agent.file_grant (
  id         text        PRIMARY KEY,
  owner      text        NOT NULL,
  plugin_id  text        NOT NULL,
  name       text        NOT NULL,
  kind       text        NOT NULL,
  access     text        NOT NULL,
  size       bigint      NOT NULL,
  location   text        NOT NULL,  -- absolute, or below the data directory
  instance   uuid        NOT NULL,  -- the process that made it
  expires_at timestamptz NOT NULL,
  CONSTRAINT file_grant_kind CHECK (kind IN ('file', 'directory')),
  CONSTRAINT file_grant_access CHECK (access IN ('read', 'write', 'read-write'))
);

-- The sweep: what is too old, and whether anything still points at an upload.
CREATE INDEX file_grant_by_expiry ON agent.file_grant (expires_at);
CREATE INDEX file_grant_by_location ON agent.file_grant (location);

-- What a run may touch under a name; lives as long as the run and ten minutes more.
CREATE TABLE agent.run_grant (
  run_id     uuid        NOT NULL,
  name       text        NOT NULL,
  plugin_id  text        NOT NULL,  -- empty for the built-in tools
  kind       text        NOT NULL,
  access     text        NOT NULL,
  location   text        NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (run_id, name, plugin_id),
  CONSTRAINT run_grant_kind CHECK (kind IN ('file', 'directory')),
  CONSTRAINT run_grant_access CHECK (access IN ('read', 'read-write'))
);

CREATE INDEX run_grant_by_location ON agent.run_grant (location);

-- What a step wrote and a client may fetch.
CREATE TABLE agent.run_file (
  run_id     uuid        NOT NULL,
  path       text        NOT NULL,  -- as clients see it
  location   text        NOT NULL,  -- below the data directory
  size       bigint      NOT NULL,
  step       int         NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (run_id, path)
);
