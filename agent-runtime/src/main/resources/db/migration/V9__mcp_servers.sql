-- Servers that offer tools: how people configured them, and what each offers.
CREATE TABLE agent.mcp_server (
  id            uuid        PRIMARY KEY,
  owner         text,                              -- null for those of the whole deployment
  name          text        NOT NULL,
  prefix        text        NOT NULL,              -- of the names of its tools
  settings      text        NOT NULL,              -- JSON of what is no secret
  sealed        text,                              -- headers and environment; null for none
  enabled       boolean     NOT NULL,
  settings_rev  int         NOT NULL DEFAULT 1,    -- counts changes by people
  tools_rev     int         NOT NULL DEFAULT 1,    -- counts changes of what follows
  accepted      text        NOT NULL DEFAULT '[]', -- JSON of the tools as they were accepted
  offered       text        NOT NULL DEFAULT '[]', -- and as the server declares them now
  discovered_at timestamptz,                       -- null until it told its tools for the first time
  status        text        NOT NULL DEFAULT 'connecting',
  error         text,
  failures      int         NOT NULL DEFAULT 0,    -- attempts since the last good one
  due_at        timestamptz NOT NULL DEFAULT now(),
  created_at    timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT mcp_server_status CHECK (status IN ('connecting', 'connected', 'error')),
  CONSTRAINT mcp_server_error CHECK ((error IS NOT NULL) = (status = 'error'))
);

-- The catalog and the list of one owner; a prefix belongs to one server of theirs.
CREATE UNIQUE INDEX mcp_server_owner_prefix ON agent.mcp_server (owner, prefix);

-- The same for the servers of the whole deployment, which are in everybody's catalog.
CREATE UNIQUE INDEX mcp_server_deployment_prefix ON agent.mcp_server (prefix) WHERE owner IS NULL;

-- A server for everybody must not take a prefix that somebody has.
CREATE INDEX mcp_server_prefix ON agent.mcp_server (prefix);

-- Whose tools are to be discovered next.
CREATE INDEX mcp_server_due ON agent.mcp_server (due_at) WHERE enabled;
