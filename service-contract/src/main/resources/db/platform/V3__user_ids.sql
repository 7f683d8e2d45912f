-- Every id that a user ever had. Runs, workflows and files know their owner by it, so it is given
-- once: whoever came second would find what the first one left.
CREATE TABLE platform.user_id (
  id       text        PRIMARY KEY,
  given_at timestamptz NOT NULL DEFAULT now()
);

INSERT INTO platform.user_id (id, given_at) SELECT id, created_at FROM platform.app_user;

GRANT SELECT, INSERT ON platform.user_id TO ${chatRole};
