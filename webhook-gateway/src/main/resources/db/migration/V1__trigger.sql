-- Triggers: addresses at which other programs start a published workflow.
CREATE TABLE webhook.trigger (
  id            uuid        PRIMARY KEY,
  owner         text        NOT NULL,
  workflow_id   text        NOT NULL,
  name          text        NOT NULL,
  secret_digest bytea       NOT NULL,  -- SHA-256; the secret itself is stored nowhere
  enabled       boolean     NOT NULL DEFAULT true,
  disabled_at   timestamptz,           -- set for good when the workflow is deleted
  created_at    timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT trigger_name CHECK (char_length(name) BETWEEN 1 AND 160),
  CONSTRAINT trigger_secret CHECK (octet_length(secret_digest) = 32),
  CONSTRAINT trigger_disabled CHECK (disabled_at IS NULL OR NOT enabled)
);

-- Read by the deletion of a workflow.
CREATE INDEX trigger_live_by_workflow ON webhook.trigger (workflow_id) WHERE disabled_at IS NULL;
-- Read by an owner's list, newest first.
CREATE INDEX trigger_by_owner ON webhook.trigger (owner, created_at DESC, id);

-- Called by workflow-service inside the transaction that deletes the workflow: both happen or
-- neither. Answers how many triggers it disabled.
CREATE FUNCTION webhook.disable_for_workflow(workflow text) RETURNS integer
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp
AS $$
  WITH disabled AS (
    UPDATE webhook.trigger
       SET enabled = false, disabled_at = now()
     WHERE workflow_id = workflow AND disabled_at IS NULL
    RETURNING 1)
  SELECT count(*)::integer FROM disabled
$$;

REVOKE ALL ON FUNCTION webhook.disable_for_workflow(text) FROM PUBLIC;
GRANT USAGE ON SCHEMA webhook TO ${workflowRole};
GRANT EXECUTE ON FUNCTION webhook.disable_for_workflow(text) TO ${workflowRole};
