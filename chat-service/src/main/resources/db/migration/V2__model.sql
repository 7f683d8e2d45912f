-- Which model answers an owner: only what the owner chose; the rest is the environment's.
CREATE TABLE chat.ai_config (
  owner      text        PRIMARY KEY,
  settings   jsonb       NOT NULL DEFAULT '{}',  -- never a key
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT ai_config_settings CHECK (jsonb_typeof(settings) = 'object')
);

-- Models that an owner added to the catalogue.
CREATE TABLE chat.ai_model (
  owner      text        NOT NULL,
  id         text        NOT NULL,
  mode       text        NOT NULL,
  model      text        NOT NULL,
  base_url   text,                   -- null: that of the mode
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (owner, id),
  CONSTRAINT ai_model_mode CHECK (mode IN ('local', 'openai', 'anthropic', 'deepseek'))
);

-- Keys of providers, encrypted, each for the one origin that it may be sent to.
CREATE TABLE chat.ai_key (
  owner      text        NOT NULL,
  slot       text        NOT NULL,   -- a mode, or model:<id>
  origin     text        NOT NULL,   -- scheme://host:port
  sealed     text        NOT NULL,   -- names the encryption key it needs
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (owner, slot)
);
