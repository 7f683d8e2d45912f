package io.fengyu.contract.db;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.pgclient.PgNotification;
import io.vertx.sqlclient.ClosedConnectionException;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.interceptor.Interceptor;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Hears NOTIFY on one connection of its own, outside the pool, which comes back by itself. What was
 * sent while it was away is lost, so every subscriber is told to look for itself afterwards.
 *
 * <p>Subscribers are called on an event loop and must not block.
 */
@ApplicationScoped
public class Listener {

  private static final Logger LOG = Logger.getLogger(Listener.class);
  private static final long FIRST_PAUSE_MS = 100;
  private static final long LONGEST_PAUSE_MS = 2_000;
  private static final long ANSWER_MS = 3_000;

  private record Subscription(String channel, Consumer<String> payload, Runnable caughtUpAgain) {}

  private final DatabaseConfig config;
  private final Context context;
  private final String service;
  private final List<Subscription> subscriptions = new CopyOnWriteArrayList<>();
  private final List<Runnable> connectedHooks = new CopyOnWriteArrayList<>();
  private volatile @Nullable PgConnection connection;
  private volatile boolean stopping;
  private volatile boolean heardOfTrouble;

  Listener(
      DatabaseConfig config,
      Vertx vertx,
      @ConfigProperty(name = "quarkus.application.name") String service) {
    this.config = config;
    this.context = vertx.getOrCreateContext();
    this.service = service;
  }

  /**
   * Subscribes to a channel for the rest of the process.
   *
   * @param payload gets what was sent; ids only, so that what it means is read from the tables
   * @param caughtUpAgain runs after every (re)connect, once nothing more can be missed
   */
  public void listen(String channel, Consumer<String> payload, Runnable caughtUpAgain) {
    var subscription = new Subscription(channel, payload, caughtUpAgain);
    subscriptions.add(subscription);
    context.runOnContext(
        now -> {
          var current = connection;
          if (current != null) {
            var unused = open(current, subscription);
          }
        });
  }

  /** True while notifications arrive; down at the latest when a query on it stays unanswered. */
  public boolean connected() {
    return connection != null;
  }

  /** Runs after every (re)connect, on the event loop. */
  public void onConnected(Runnable hook) {
    connectedHooks.add(hook);
  }

  /**
   * Asks something small on the listening connection itself. No answer within three seconds means
   * that the connection is dead: it is dropped and made anew.
   */
  public Uni<RowSet<Row>> query(String sql, Tuple values) {
    return Uni.createFrom()
        .emitter(
            answer ->
                context.runOnContext(
                    now ->
                        ask(sql, values)
                            .onComplete(
                                rows -> {
                                  if (rows.succeeded()) {
                                    answer.complete(rows.result());
                                  } else {
                                    answer.fail(rows.cause());
                                  }
                                })));
  }

  void start(@Observes @Priority(Interceptor.Priority.LIBRARY_BEFORE) StartupEvent started) {
    if (config.enabled()) {
      context.runOnContext(now -> connect(FIRST_PAUSE_MS));
    }
  }

  void stop(@Observes @Priority(Interceptor.Priority.LIBRARY_AFTER) ShutdownEvent stopped) {
    stopping = true;
    var current = connection;
    if (current != null) {
      current.close();
    }
  }

  private void connect(long pause) {
    if (stopping) {
      return;
    }
    PgConnection.connect(context.owner(), options())
        .compose(this::opened)
        .onFailure(failure -> retry(failure, pause));
  }

  private Future<Void> opened(PgConnection fresh) {
    fresh.notificationHandler(this::heard);
    return listenOnAll(fresh, new HashSet<>()).onFailure(failure -> fresh.close());
  }

  // Channels may be added while others are still being opened, so it ends only when none is left.
  private Future<Void> listenOnAll(PgConnection fresh, Set<String> opened) {
    for (var subscription : subscriptions) {
      if (opened.add(subscription.channel)) {
        return listenOn(fresh, subscription.channel)
            .compose(listening -> listenOnAll(fresh, opened));
      }
    }
    established(fresh);
    return Future.succeededFuture();
  }

  private void established(PgConnection fresh) {
    fresh.closeHandler(closed -> lost());
    connection = fresh;
    if (heardOfTrouble) {
      LOG.info("Notifications arrive again");
      heardOfTrouble = false;
    }
    connectedHooks.forEach(Listener::guarded);
    subscriptions.forEach(subscription -> guarded(subscription.caughtUpAgain));
  }

  private void lost() {
    connection = null;
    if (!stopping) {
      heardOfTrouble = true;
      LOG.warn("The connection for notifications is lost");
      context.runOnContext(now -> connect(FIRST_PAUSE_MS));
    }
  }

  private void retry(Throwable failure, long pause) {
    if (!heardOfTrouble) {
      heardOfTrouble = true;
      LOG.warnf("Notifications do not arrive: %s", failure.getMessage());
    }
    context.owner().setTimer(pause, timer -> connect(Math.min(pause * 2, LONGEST_PAUSE_MS)));
  }

  private Future<Void> open(PgConnection current, Subscription subscription) {
    return listenOn(current, subscription.channel)
        .onSuccess(listening -> guarded(subscription.caughtUpAgain))
        .onFailure(failure -> current.close());
  }

  private static Future<Void> listenOn(PgConnection current, String channel) {
    return current
        .query("LISTEN \"" + channel.replace("\"", "\"\"") + "\"")
        .execute()
        .timeout(ANSWER_MS, TimeUnit.MILLISECONDS)
        .mapEmpty();
  }

  private Future<RowSet<Row>> ask(String sql, Tuple values) {
    var current = connection;
    if (current == null) {
      return Future.failedFuture(ClosedConnectionException.INSTANCE);
    }
    return current
        .preparedQuery(sql)
        .execute(values)
        .timeout(ANSWER_MS, TimeUnit.MILLISECONDS)
        .onFailure(failure -> dropIfDead(current, failure));
  }

  private static void dropIfDead(PgConnection current, Throwable failure) {
    if (failure instanceof TimeoutException) {
      current.close();
    }
  }

  private void heard(PgNotification notification) {
    for (var subscription : subscriptions) {
      if (subscription.channel.equals(notification.getChannel())) {
        guarded(() -> subscription.payload.accept(notification.getPayload()));
      }
    }
  }

  // One subscriber's fault must not deafen the others.
  private static void guarded(Runnable callback) {
    try {
      callback.run();
    } catch (RuntimeException failed) {
      LOG.error("A subscriber of notifications failed", failed);
    }
  }

  private PgConnectOptions options() {
    return PgConnectOptions.fromUri(config.uri())
        .setUser(config.user())
        .setPassword(config.password().orElse(""))
        .setCachePreparedStatements(true)
        .addProperty("application_name", service + "-listener");
  }
}
