package io.fengyu.workflow.definition;

import io.fengyu.workflow.WorkflowProblems;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;
import io.vertx.pgclient.PgException;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Set;
import org.jboss.logging.Logger;

/**
 * Deletes a workflow together with what would start it, in one transaction. Schedules and triggers
 * belong to other schemas, which publish one function each for this.
 */
@ApplicationScoped
class Deletion {

  private static final Logger LOG = Logger.getLogger(Deletion.class);

  // Its snapshots go with it, by their foreign key.
  private static final String DELETE =
      """
      WITH gone AS (DELETE FROM workflow.definition WHERE id = $1 AND owner = $2 RETURNING owner)
      SELECT pg_notify('fengyu_workflows', owner) FROM gone""";

  private static final String CANCEL_SCHEDULES = "SELECT scheduler.cancel_for_workflow($1)";
  private static final String DISABLE_TRIGGERS = "SELECT webhook.disable_for_workflow($1)";

  /** Schema, function or the right to call it is missing: the other service never started here. */
  private static final Set<String> NOT_THERE = Set.of("3F000", "42883", "42501");

  private final Pool postgres;

  Deletion(Pool postgres) {
    this.postgres = postgres;
  }

  /**
   * What was deleted.
   *
   * @param cancelledSchedules schedules that were active
   * @param cancelledWebhookTriggers triggers that were enabled
   */
  public record Deleted(boolean ok, long cancelledSchedules, long cancelledWebhookTriggers) {}

  Uni<Deleted> delete(String id, String owner) {
    WorkflowId.known(id);
    return postgres.withTransaction(transaction -> delete(transaction, id, owner));
  }

  private static Uni<Deleted> delete(SqlConnection transaction, String id, String owner) {
    return transaction
        .preparedQuery(DELETE)
        .execute(Tuple.of(id, owner))
        .invoke(rows -> refuseUnknown(rows.rowCount(), id))
        .chain(() -> count(transaction, CANCEL_SCHEDULES, id, "task-scheduler"))
        .chain(
            schedules ->
                count(transaction, DISABLE_TRIGGERS, id, "webhook-gateway")
                    .map(triggers -> new Deleted(true, schedules, triggers)));
  }

  private static void refuseUnknown(int deleted, String id) {
    if (deleted == 0) {
      throw WorkflowProblems.notFound(id);
    }
  }

  private static Uni<Long> count(
      SqlConnection transaction, String call, String id, String service) {
    return transaction
        .preparedQuery(call)
        .execute(Tuple.of(id))
        .map(rows -> rows.iterator().next().getLong(0))
        .onFailure(PgException.class)
        .transform(failure -> refused(failure, service));
  }

  private static Throwable refused(PgException failure, String service) {
    LOG.errorf(failure, "Nothing was deleted, because %s's function failed", service);
    return NOT_THERE.contains(failure.getSqlState()) || "P0001".equals(failure.getSqlState())
        ? WorkflowProblems.dependencyUnavailable(service)
        : failure;
  }
}
