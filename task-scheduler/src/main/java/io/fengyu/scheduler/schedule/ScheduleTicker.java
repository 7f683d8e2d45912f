package io.fengyu.scheduler.schedule;

import io.fengyu.contract.db.Listener;
import io.fengyu.contract.db.Migrations;
import io.fengyu.contract.net.Drain;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import org.jboss.logging.Logger;

/**
 * Sleeps until the next schedule is due. It is woken when one is made or the sandbox is switched,
 * and looks every few seconds anyway, because clocks may be set and notifications may be lost.
 */
@ApplicationScoped
class ScheduleTicker {

  private static final Logger LOG = Logger.getLogger(ScheduleTicker.class);
  private static final long AFTER_TROUBLE_MS = 2_000;

  private final ScheduleLook look;
  private final Listener listener;
  private final Migrations migrations;
  private final Vertx vertx;

  // All of these are touched by one thread at a time: whoever holds this monitor, never blocking.
  private final Object guard = new Object();
  private long timer = -1;
  private boolean looking;
  private boolean again;
  private boolean stopped;

  ScheduleTicker(ScheduleLook look, Listener listener, Migrations migrations, Vertx vertx) {
    this.look = look;
    this.listener = listener;
    this.migrations = migrations;
    this.vertx = vertx;
  }

  void start(@Observes StartupEvent started) {
    migrations.whenComplete(
        () -> {
          listener.listen(ScheduleStore.CHANNEL, id -> wake(), this::wake);
          listener.listen("fengyu_settings", owner -> wake(), () -> {});
          wake();
        });
  }

  void stop(@Observes Drain step) {
    synchronized (guard) {
      stopped = true;
      cancelTimer();
    }
  }

  /** Looks at once, or once more when it is looking already. */
  void wake() {
    synchronized (guard) {
      if (stopped) {
        return;
      }
      if (looking) {
        again = true;
        return;
      }
      looking = true;
      cancelTimer();
    }
    Uni.createFrom().deferred(look::once).subscribe().with(this::sleep, this::failed);
  }

  private void failed(Throwable failure) {
    LOG.warnf("Schedules could not be looked at: %s", failure.getMessage());
    sleep(AFTER_TROUBLE_MS);
  }

  private void sleep(long pauseMs) {
    boolean atOnce;
    synchronized (guard) {
      looking = false;
      atOnce = again;
      again = false;
      if (!atOnce && !stopped) {
        timer = vertx.setTimer(Math.max(1, pauseMs), tick -> wake());
      }
    }
    if (atOnce) {
      wake();
    }
  }

  private void cancelTimer() {
    if (timer >= 0) {
      vertx.cancelTimer(timer);
      timer = -1;
    }
  }
}
