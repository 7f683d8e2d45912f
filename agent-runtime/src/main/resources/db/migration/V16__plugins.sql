-- Packages that are installed for the whole deployment.
CREATE TABLE agent.plugin (
  id             text        PRIMARY KEY,
  digest         text        NOT NULL,               -- SHA-256 of the package
  size           bigint      NOT NULL,               -- bytes of the package
  manifest       text        NOT NULL,               -- JSON, as it was written
  hooks          text,                               -- JSON of its hooks; null without
  enabled        boolean     NOT NULL DEFAULT true,
  trusted_digest text,                               -- the package whose hooks were trusted
  installed_at   timestamptz NOT NULL DEFAULT now(),
  updated_at     timestamptz NOT NULL DEFAULT now()
);

-- Their bytes, in pieces of a mebibyte: replicas unpack them where they need them.
CREATE TABLE agent.plugin_piece (
  digest text  NOT NULL,
  seq    int   NOT NULL,
  bytes  bytea NOT NULL,
  PRIMARY KEY (digest, seq)
);
