-- Conversations as people see them; what a model is sent comes with each turn.
CREATE TABLE chat.conversation (
  owner      text        NOT NULL,
  id         text        NOT NULL,
  title      text        NOT NULL,
  revision   bigint      NOT NULL DEFAULT 1,   -- the entity tag; grows with every change
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (owner, id)
);

-- An owner's list, latest change first.
CREATE INDEX conversation_latest ON chat.conversation (owner, updated_at DESC, id DESC);

CREATE TABLE chat.message (
  owner           text NOT NULL,
  conversation_id text NOT NULL,
  position        int  NOT NULL,   -- ascending; gaps are left by edited turns
  role            text NOT NULL,
  content         text NOT NULL,
  thinking        text,
  attachments     text,            -- JSON: names and kinds to show, no content
  turn_id         uuid,            -- the turn that brought it; null when the client wrote it
  PRIMARY KEY (owner, conversation_id, position),
  FOREIGN KEY (owner, conversation_id) REFERENCES chat.conversation ON DELETE CASCADE,
  CONSTRAINT message_role CHECK (role IN ('system', 'user', 'assistant'))
);
