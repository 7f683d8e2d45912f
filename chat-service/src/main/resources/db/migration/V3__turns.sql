-- Chat turns: what was asked, what came of it, and every event that readers see.
CREATE TABLE chat.turn (
  id               uuid        PRIMARY KEY,
  owner            text        NOT NULL,
  conversation_id  text,
  status           text        NOT NULL DEFAULT 'RUNNING',
  executor         uuid        NOT NULL,              -- the process that executes it, for ever
  generation       int         NOT NULL DEFAULT 1,
  cancel_requested boolean     NOT NULL DEFAULT false,
  input            text        NOT NULL,              -- the message that it answers
  options          text        NOT NULL,              -- JSON: mode, model, budget and the like
  text             text,                              -- the reply; as far as it came, if it ended early
  error            text,                              -- JSON; null unless it ended early
  record           text,                              -- JSON: usage, context
  superseded_by    uuid,
  started_at       timestamptz NOT NULL DEFAULT now(),
  ended_at         timestamptz,
  events_gone      boolean     NOT NULL DEFAULT false,
  CONSTRAINT turn_status CHECK
    (status IN ('RUNNING', 'PAUSED', 'COMPLETED', 'FAILED', 'CANCELLED', 'INTERRUPTED')),
  CONSTRAINT turn_ended CHECK ((ended_at IS NULL) = (status IN ('RUNNING', 'PAUSED')))
);

-- How many an owner has under way, and whose process died; as small as what runs right now.
CREATE INDEX turn_unfinished ON chat.turn (owner, executor) WHERE ended_at IS NULL;
-- The turns of a conversation, newest first.
CREATE INDEX turn_of_conversation ON chat.turn (owner, conversation_id, started_at DESC)
  WHERE conversation_id IS NOT NULL;
-- Whose events are to be removed next.
CREATE INDEX turn_with_old_events ON chat.turn (ended_at) WHERE ended_at IS NOT NULL AND NOT events_gone;
-- Turns outside of conversations, to be forgotten.
CREATE INDEX turn_alone ON chat.turn (ended_at) WHERE ended_at IS NOT NULL AND conversation_id IS NULL;

-- Fragments of a text stand together in one row, which has the number of the last of them.
CREATE TABLE chat.turn_event (
  turn_id uuid   NOT NULL,
  seq     bigint NOT NULL,
  first   bigint NOT NULL,   -- number of the first fragment; the same as seq for other events
  type    text   NOT NULL,
  data    text   NOT NULL,   -- JSON
  PRIMARY KEY (turn_id, seq)
);

-- Questions to the owner about calls of tools.
CREATE TABLE chat.approval (
  id           uuid        PRIMARY KEY,
  turn_id      uuid        NOT NULL,
  owner        text        NOT NULL,
  call_id      text        NOT NULL,
  tool         text        NOT NULL,
  effect       text,
  args         text        NOT NULL,   -- JSON
  schema       text        NOT NULL,   -- JSON, of the arguments
  reason       text        NOT NULL,
  opened_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
  expires_at   timestamptz NOT NULL,
  decision     text,
  patched_args text,                   -- JSON, with modify only
  feedback     text,
  decided_at   timestamptz,
  CONSTRAINT approval_decision CHECK
    (decision IN ('approve', 'reject', 'modify', 'expired', 'cancelled')),
  CONSTRAINT approval_decided CHECK ((decision IS NULL) = (decided_at IS NULL))
);

-- What an owner is asked right now, oldest first.
CREATE INDEX approval_open ON chat.approval (owner, opened_at, id) WHERE decision IS NULL;
CREATE INDEX approval_of_turn ON chat.approval (turn_id, opened_at);

-- Sends and keys of starts: whoever inserts the row does the work.
CREATE TABLE chat.start_claim (
  owner        text        NOT NULL,
  route        text        NOT NULL,  -- what the key is good for
  key_digest   bytea       NOT NULL,  -- SHA-256; the key itself is not kept
  fingerprint  text,                  -- of the body; null when cancelled before it came
  holder       uuid,                  -- the attempt that may begin; null when the next one may
  operation    uuid,                  -- of the start, whoever holds it
  subject      uuid,                  -- what was started
  status       int,                   -- null until something was started
  answer       text,                  -- JSON
  claimed_at   timestamptz NOT NULL DEFAULT now(),
  cancelled_at timestamptz,
  refused_at   timestamptz,
  PRIMARY KEY (owner, route, key_digest),
  CONSTRAINT start_claim_digest CHECK (octet_length(key_digest) = 32),
  CONSTRAINT start_claim_answered CHECK ((status IS NULL) = (answer IS NULL))
);

-- The sweep of old ones.
CREATE INDEX start_claim_age ON chat.start_claim (claimed_at);

-- What long conversations were summed up as for a model, so that each round is summed up once.
CREATE TABLE chat.summary (
  owner           text        NOT NULL,
  prefix          bytea       NOT NULL,  -- SHA-256 over the messages that it stands for
  conversation_id text,                  -- with which it goes; null for none
  summary         text        NOT NULL,
  used_at         timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (owner, prefix)
);

CREATE INDEX summary_age ON chat.summary (used_at);
CREATE INDEX summary_of_conversation ON chat.summary (owner, conversation_id)
  WHERE conversation_id IS NOT NULL;
