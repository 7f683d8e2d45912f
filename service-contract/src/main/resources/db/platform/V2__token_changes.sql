-- Every replica forgets what it remembers of tokens as soon as one changes.
CREATE FUNCTION platform.announce_tokens() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM pg_notify('fengyu_tokens', '');
  RETURN NULL;
END
$$;

CREATE TRIGGER api_token_changed
  AFTER INSERT OR UPDATE OR DELETE ON platform.api_token
  FOR EACH STATEMENT EXECUTE FUNCTION platform.announce_tokens();

CREATE TRIGGER app_user_changed
  AFTER UPDATE OR DELETE ON platform.app_user
  FOR EACH STATEMENT EXECUTE FUNCTION platform.announce_tokens();

-- Locking the rows to sweep needs it.
GRANT UPDATE ON platform.stream_ticket TO ${serviceRole};
