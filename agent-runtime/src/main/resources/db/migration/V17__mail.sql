-- Mail: what owners send from and to, what was prepared for sending, and what became of it.
CREATE TABLE agent.mail_account (
  id           bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  owner        text        NOT NULL,
  secret_key   uuid        NOT NULL,          -- the password is sealed for this row and its host
  display_name text        NOT NULL,
  email        text        NOT NULL,
  host         text        NOT NULL,
  port         int         NOT NULL,
  security     text        NOT NULL,
  username     text,                          -- null where nobody logs in
  sealed       text,                          -- the password; null for none
  created_at   timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT mail_account_port CHECK (port BETWEEN 1 AND 65535),
  CONSTRAINT mail_account_security CHECK (security IN ('none', 'starttls', 'tls'))
);

-- The list of one owner.
CREATE INDEX mail_account_owner ON agent.mail_account (owner, id);

CREATE TABLE agent.mail_tag (
  id         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  owner      text        NOT NULL,
  name       text        NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- The list of one owner; files are matched to tags by name, whatever its case.
CREATE UNIQUE INDEX mail_tag_name ON agent.mail_tag (owner, lower(name));

CREATE TABLE agent.mail_contact (
  id         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  owner      text        NOT NULL,
  name       text        NOT NULL,
  email      text        NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- The list of one owner.
CREATE INDEX mail_contact_owner ON agent.mail_contact (owner, id);

CREATE TABLE agent.mail_contact_tag (
  contact_id bigint NOT NULL REFERENCES agent.mail_contact ON DELETE CASCADE,
  tag_id     bigint NOT NULL REFERENCES agent.mail_tag ON DELETE CASCADE,
  PRIMARY KEY (contact_id, tag_id)
);

-- The contacts of a group, and the cascade from a deleted tag.
CREATE INDEX mail_contact_tag_group ON agent.mail_contact_tag (tag_id, contact_id);

-- One prepared sending, frozen when it was prepared: nothing in it changes but what becomes of it.
CREATE TABLE agent.mail_send (
  id          uuid        PRIMARY KEY,
  owner       text        NOT NULL,
  account_id  bigint      NOT NULL,           -- may be gone by now
  sender      text        NOT NULL,
  sender_name text        NOT NULL,
  subject     text        NOT NULL,
  plain_text  text,
  html_text   text,
  state       text        NOT NULL DEFAULT 'prepared',
  claim       uuid,                           -- of the one call that sends
  holder      uuid,                           -- the process of that call
  error       text,                           -- what kept all of it from being sent
  created_at  timestamptz NOT NULL DEFAULT now(),
  expires_at  timestamptz NOT NULL,
  ended_at    timestamptz,
  CONSTRAINT mail_send_state CHECK (state IN ('prepared', 'sending', 'ended', 'rejected')),
  CONSTRAINT mail_send_claimed CHECK (state <> 'sending' OR (claim IS NOT NULL AND holder IS NOT NULL))
);

-- What one owner has open, and what is old enough to go.
CREATE INDEX mail_send_owner ON agent.mail_send (owner, created_at);

-- Prepared from one account, which is deleted.
CREATE INDEX mail_send_account ON agent.mail_send (account_id) WHERE state = 'prepared';

CREATE TABLE agent.mail_message (
  send_id     uuid        NOT NULL REFERENCES agent.mail_send ON DELETE CASCADE,
  n           int         NOT NULL,
  content     text        NOT NULL,           -- JSON: recipients, and attachments with their digests
  state       text        NOT NULL DEFAULT 'prepared',
  claim       uuid,                           -- of the call that sends it
  error       text,
  refused     text[]      NOT NULL DEFAULT '{}',  -- recipients a server refused while it took the mail
  intended_at timestamptz,
  settled_at  timestamptz,
  PRIMARY KEY (send_id, n),
  CONSTRAINT mail_message_state CHECK (
    state IN ('prepared', 'intended', 'accepted', 'failed', 'unknown', 'stopped'))
);
