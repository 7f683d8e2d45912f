package io.fengyu.workflow.story;

import io.fengyu.contract.testing.PostgresServer;
import java.sql.SQLException;

/**
 * The tables and the published functions of the scheduler and the webhook gateway, as small as a
 * deletion needs them.
 */
final class Neighbours {

  void moveIn() {
    moveOut();
    run(
        """
        CREATE TABLE scheduler.story_schedule (workflow_id text, state text);
        CREATE FUNCTION scheduler.cancel_for_workflow(id text) RETURNS integer
          LANGUAGE plpgsql SECURITY DEFINER SET search_path = scheduler AS $$
        DECLARE cancelled integer;
        BEGIN
          UPDATE story_schedule SET state = 'CANCELLED' WHERE workflow_id = id AND state = 'ACTIVE';
          GET DIAGNOSTICS cancelled = ROW_COUNT;
          RETURN cancelled;
        END $$;
        REVOKE ALL ON FUNCTION scheduler.cancel_for_workflow(text) FROM PUBLIC;
        GRANT USAGE ON SCHEMA scheduler TO fengyu_workflow;
        GRANT EXECUTE ON FUNCTION scheduler.cancel_for_workflow(text) TO fengyu_workflow;
        CREATE TABLE webhook.story_trigger (workflow_id text, enabled boolean);
        CREATE FUNCTION webhook.disable_for_workflow(id text) RETURNS integer
          LANGUAGE plpgsql SECURITY DEFINER SET search_path = webhook AS $$
        DECLARE disabled integer;
        BEGIN
          UPDATE story_trigger SET enabled = false WHERE workflow_id = id AND enabled;
          GET DIAGNOSTICS disabled = ROW_COUNT;
          RETURN disabled;
        END $$;
        REVOKE ALL ON FUNCTION webhook.disable_for_workflow(text) FROM PUBLIC;
        GRANT USAGE ON SCHEMA webhook TO fengyu_workflow;
        GRANT EXECUTE ON FUNCTION webhook.disable_for_workflow(text) TO fengyu_workflow""");
  }

  void moveOut() {
    run(
        """
        DROP FUNCTION IF EXISTS scheduler.cancel_for_workflow(text);
        DROP FUNCTION IF EXISTS webhook.disable_for_workflow(text);
        DROP TABLE IF EXISTS scheduler.story_schedule;
        DROP TABLE IF EXISTS webhook.story_trigger""");
  }

  void triggersFail() {
    run(
        """
        CREATE OR REPLACE FUNCTION webhook.disable_for_workflow(id text) RETURNS integer
          LANGUAGE plpgsql SECURITY DEFINER SET search_path = webhook AS $$
        BEGIN
          RAISE EXCEPTION 'out of order';
        END $$""");
  }

  void schedule(String workflowId, String state) {
    run("INSERT INTO scheduler.story_schedule VALUES ('" + workflowId + "', '" + state + "')");
  }

  void trigger(String workflowId, boolean enabled) {
    run("INSERT INTO webhook.story_trigger VALUES ('" + workflowId + "', " + enabled + ")");
  }

  int activeSchedules(String workflowId) {
    return count("scheduler.story_schedule WHERE state = 'ACTIVE' AND workflow_id", workflowId);
  }

  int enabledTriggers(String workflowId) {
    return count("webhook.story_trigger WHERE enabled AND workflow_id", workflowId);
  }

  int snapshots(String workflowId) {
    return count("workflow.snapshot WHERE workflow_id", workflowId);
  }

  private static void run(String sql) {
    try (var connection = PostgresServer.shared().connect();
        var statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
  }

  private static int count(String where, String workflowId) {
    var sql = "SELECT count(*) FROM " + where + " = '" + workflowId + "'";
    try (var connection = PostgresServer.shared().connect();
        var statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getInt(1);
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
  }
}
