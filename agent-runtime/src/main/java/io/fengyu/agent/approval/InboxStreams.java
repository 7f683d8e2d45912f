package io.fengyu.agent.approval;

import io.fengyu.agent.journal.JournalConfig;
import io.fengyu.agent.journal.StreamSlots;
import io.fengyu.contract.db.Listener;
import io.fengyu.contract.db.Migrations;
import io.fengyu.contract.net.Drain;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerResponse;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** All clients of this replica that watch an inbox. */
@ApplicationScoped
class InboxStreams {

  private static final Logger LOG = Logger.getLogger(InboxStreams.class);
  private static final long LOOK_MS = 1000;
  private static final Duration SWEEP_EVERY = Duration.ofMinutes(20);

  private final Vertx vertx;
  private final InboxPages pages;
  private final InboxLog log;
  private final JournalConfig config;
  private final StreamSlots slots;
  private final Listener listener;
  private final Migrations migrations;
  private final Set<InboxStream> open = ConcurrentHashMap.newKeySet();
  private volatile Map<String, Long> newest = Map.of();
  private volatile boolean looking;

  InboxStreams(
      Vertx vertx,
      InboxPages pages,
      InboxLog log,
      JournalConfig config,
      StreamSlots slots,
      Listener listener,
      Migrations migrations) {
    this.vertx = vertx;
    this.pages = pages;
    this.log = log;
    this.config = config;
    this.slots = slots;
    this.listener = listener;
    this.migrations = migrations;
  }

  void start(@Observes StartupEvent started) {
    listener.listen("agent_approval", this::wake, this::wakeAll);
    vertx.setPeriodic(config.streamHeartbeat().toMillis() / 4, tick -> check());
    vertx.setPeriodic(LOOK_MS, tick -> look());
    vertx.setPeriodic(SWEEP_EVERY.toMillis(), tick -> sweep());
  }

  void stop(@Observes Drain step) {
    if (step == Drain.CLOSED) {
      drain();
    }
  }

  /** Ends all streams, so that their clients come back to another replica. */
  void drain() {
    open.forEach(InboxStream::drain);
  }

  /**
   * Takes over the response; what fails before is answered by the caller.
   *
   * @param cursor the last event the client has; null for a client that knows nothing
   */
  Uni<Void> watch(String owner, @Nullable Long cursor, HttpServerResponse response) {
    return pages.begin(owner, cursor).chain(place -> follow(owner, place, response));
  }

  private Uni<Void> follow(String owner, InboxPlace place, HttpServerResponse response) {
    slots.take(owner);
    return Uni.createFrom()
        .emitter(
            over -> {
              var stream = new InboxStream[1];
              Context context = vertx.getOrCreateContext();
              stream[0] =
                  new InboxStream(
                      owner,
                      response,
                      context,
                      pages,
                      place,
                      () -> {
                        open.remove(stream[0]);
                        slots.giveBack(owner);
                        over.complete(null);
                      });
              open.add(stream[0]);
              response.closeHandler(closed -> stream[0].gone());
              context.runOnContext(now -> stream[0].open());
            });
  }

  private void wake(String owner) {
    open.stream().filter(stream -> stream.owner().equals(owner)).forEach(InboxStream::wake);
  }

  private void wakeAll() {
    open.forEach(InboxStream::wake);
  }

  private void check() {
    var now = System.nanoTime();
    var silence = config.streamHeartbeat().toNanos() * 3 / 4;
    var stall = config.streamStall().toNanos();
    open.forEach(stream -> stream.check(now, silence, stall));
  }

  // A lost notification delays, but never loses.
  private void look() {
    if (open.isEmpty() || looking) {
      return;
    }
    looking = true;
    var owners = open.stream().map(InboxStream::owner).collect(Collectors.toSet());
    log.newest(owners)
        .onTermination()
        .invoke(() -> looking = false)
        .subscribe()
        .with(this::wakeWhoIsBehind, failure -> LOG.debugf("Inboxes: %s", failure.getMessage()));
  }

  private void wakeWhoIsBehind(Map<String, Long> now) {
    var before = newest;
    newest = now;
    now.forEach(
        (owner, last) -> {
          if (!last.equals(before.get(owner))) {
            wake(owner);
          }
        });
  }

  private void sweep() {
    if (migrations.complete()) {
      log.sweep()
          .subscribe()
          .with(
              done -> {},
              failure -> LOG.warnf("Old approvals are not removed: %s", failure.getMessage()));
    }
  }
}
