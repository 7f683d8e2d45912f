-- Roles and schemas of the platform. Run by an administrator of the database, as often as one
-- likes: the second run changes nothing but passwords.
--
-- ${password:<role>} stands for that role's password as an SQL literal.

DO $$
DECLARE
  role_name text;
BEGIN
  FOREACH role_name IN ARRAY ARRAY['fengyu_owner', 'fengyu_chat', 'fengyu_agent',
                                   'fengyu_workflow', 'fengyu_scheduler', 'fengyu_webhook']
  LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role_name) THEN
      EXECUTE format('CREATE ROLE %I LOGIN', role_name);
    END IF;
  END LOOP;
  -- What every service may do in the schema that all of them share.
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'fengyu_service') THEN
    CREATE ROLE fengyu_service NOLOGIN;
  END IF;
END
$$;

ALTER ROLE fengyu_owner     PASSWORD ${password:fengyu_owner};
ALTER ROLE fengyu_chat      PASSWORD ${password:fengyu_chat};
ALTER ROLE fengyu_agent     PASSWORD ${password:fengyu_agent};
ALTER ROLE fengyu_workflow  PASSWORD ${password:fengyu_workflow};
ALTER ROLE fengyu_scheduler PASSWORD ${password:fengyu_scheduler};
ALTER ROLE fengyu_webhook   PASSWORD ${password:fengyu_webhook};

GRANT fengyu_service TO fengyu_chat, fengyu_agent, fengyu_workflow, fengyu_scheduler, fengyu_webhook;

-- An administrator who is no superuser may give schemas away only to a role it belongs to.
GRANT fengyu_owner TO CURRENT_USER;

DO $$
DECLARE
  schema_name text;
BEGIN
  FOREACH schema_name IN ARRAY ARRAY['platform', 'chat', 'agent', 'workflow', 'scheduler', 'webhook']
  LOOP
    IF NOT EXISTS (SELECT FROM pg_namespace WHERE nspname = schema_name) THEN
      EXECUTE format('CREATE SCHEMA %I AUTHORIZATION fengyu_owner', schema_name);
    END IF;
  END LOOP;
  EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database());
  EXECUTE format('GRANT CONNECT, TEMPORARY ON DATABASE %I TO fengyu_owner, fengyu_service',
                 current_database());
END
$$;

REVOKE ALL ON SCHEMA public FROM PUBLIC;
