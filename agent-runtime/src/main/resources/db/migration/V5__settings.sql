-- What owners set for themselves; no row means every default.
CREATE TABLE agent.owner_setting (
  owner            text        PRIMARY KEY,
  permission_rules text,       -- JSON {"allow","ask","deny"}, as saved; null for none
  rules_by_admin   boolean     NOT NULL DEFAULT false,  -- its deny and ask rules hold for everybody
  hooks            text,       -- JSON array, as saved; null for none
  hooks_by_admin   boolean     NOT NULL DEFAULT false,  -- its command hooks run for everybody
  memory_enabled   boolean     NOT NULL DEFAULT false,
  theme            text,
  language         text,
  budget           text,       -- JSON object, limits of work that names none; null for none
  updated_at       timestamptz NOT NULL DEFAULT now()
);

-- Read with the settings of every other owner: what admins set for the whole deployment.
CREATE INDEX owner_setting_of_admins ON agent.owner_setting (owner)
  WHERE rules_by_admin OR hooks_by_admin;

-- What is the same for everybody; the one row comes with the first change.
CREATE TABLE agent.deployment_setting (
  only_row             boolean     PRIMARY KEY DEFAULT true,
  computer_use_enabled boolean     NOT NULL DEFAULT true,
  unsandboxed_plugins  boolean     NOT NULL DEFAULT false,
  updated_at           timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT deployment_setting_once CHECK (only_row)
);
