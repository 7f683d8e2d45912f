package io.fengyu.agent.journal;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.PreparedStatement;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The journal's own connection, opened when first needed and again after it broke. Used from one
 * event loop only.
 */
final class JournalConnection {

  private final Vertx vertx;
  private final PgConnectOptions options;
  private final Duration timeout;
  private final Map<String, PreparedStatement> prepared = new HashMap<>();
  private @Nullable PgConnection connection;

  JournalConnection(Vertx vertx, PgConnectOptions options, Duration timeout) {
    this.vertx = vertx;
    this.timeout = timeout;
    this.options =
        new PgConnectOptions(options)
            .setCachePreparedStatements(false)
            .addProperty("application_name", "fengyu-journal")
            .addProperty("plan_cache_mode", "force_generic_plan")
            .addProperty("jit", "off")
            // Everything it does is a handful of index probes. Planned once, when tables may be
            // empty still, a scan would look cheaper, and stay the plan while they grow.
            .addProperty("enable_seqscan", "off")
            .addProperty("enable_hashjoin", "off")
            .addProperty("enable_mergejoin", "off")
            .addProperty("lock_timeout", "3s");
  }

  /** Runs one statement; a failure of the connection closes it, and the next call opens another. */
  Future<RowSet<Row>> execute(String sql, Tuple parameters) {
    return prepared(sql)
        .compose(statement -> statement.query().execute(parameters))
        .timeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
        .onFailure(this::giveUpUnlessRefused);
  }

  private Future<PreparedStatement> prepared(String sql) {
    var known = prepared.get(sql);
    if (known != null) {
      return Future.succeededFuture(known);
    }
    return open()
        .compose(open -> open.prepare(sql))
        .onSuccess(statement -> prepared.put(sql, statement));
  }

  private Future<PgConnection> open() {
    var open = connection;
    if (open != null) {
      return Future.succeededFuture(open);
    }
    return PgConnection.connect(vertx, options).onSuccess(this::opened);
  }

  private void opened(PgConnection fresh) {
    connection = fresh;
    fresh.closeHandler(closed -> forget(fresh));
  }

  private void giveUpUnlessRefused(Throwable failure) {
    if (!DatabaseFailures.isRefusal(failure)) {
      close();
    }
  }

  private void forget(PgConnection closed) {
    if (closed.equals(connection)) {
      connection = null;
      prepared.clear();
    }
  }

  /** Closes the connection, if there is one. */
  void close() {
    var open = connection;
    if (open != null) {
      forget(open);
      open.close();
    }
  }
}
