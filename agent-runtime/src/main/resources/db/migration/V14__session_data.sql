-- Which data a conversation may work on, and what its tools have confirmed about it.
CREATE TABLE agent.session_data (
  owner             text        NOT NULL,
  session_id        text        NOT NULL,
  scope             text,  -- JSON; null while nobody has limited the conversation
  active_dataset_id text,
  data_state        text,  -- JSON; null until a tool has confirmed something
  updated_at        timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (owner, session_id)
);
