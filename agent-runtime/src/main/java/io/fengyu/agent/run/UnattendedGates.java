package io.fengyu.agent.run;

import io.fengyu.agent.journal.EventType;
import io.fengyu.agent.journal.RunLog;
import io.fengyu.agent.journal.RunStore;
import io.fengyu.contract.db.Migrations;
import io.quarkus.runtime.StartupEvent;
import io.vertx.core.Vertx;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/** Ends runs that nobody watches when a gate of theirs has not been decided about in time. */
@ApplicationScoped
class UnattendedGates {

  private static final Logger LOG = Logger.getLogger(UnattendedGates.class);
  private static final long SOONEST_MS = 500;
  private static final long LATEST_MS = 15_000;

  private final RunStore store;
  private final Migrations migrations;
  private final Vertx vertx;
  private final Duration limit;

  UnattendedGates(
      RunStore store,
      Migrations migrations,
      Vertx vertx,
      @ConfigProperty(name = "fengyu.agent.headless-approval-timeout-seconds", defaultValue = "300")
          int seconds) {
    if (seconds < 1) {
      throw new IllegalArgumentException(
          "FENGYU_AGENT_HEADLESS_APPROVAL_TIMEOUT_SECONDS must be at least 1, and is " + seconds);
    }
    this.store = store;
    this.migrations = migrations;
    this.vertx = vertx;
    this.limit = Duration.ofSeconds(seconds);
  }

  /** How long such a gate is open. */
  Duration limit() {
    return limit;
  }

  void start(@Observes StartupEvent started) {
    var pause = Math.clamp(limit.toMillis() / 20, SOONEST_MS, LATEST_MS);
    migrations.whenComplete(() -> vertx.setPeriodic(pause, timer -> look()));
  }

  private void look() {
    var words = "Nobody decided about the approval within " + limit.toSeconds() + " s";
    var last = new RunLog.Entry(EventType.ERROR, StepEvents.failure(words, "APPROVAL_TIMEOUT"));
    store
        .closeOverdue(limit, last, words)
        .subscribe()
        .with(
            done -> {},
            failure -> LOG.debugf("Overdue approvals are closed later: %s", failure.getMessage()));
  }
}
