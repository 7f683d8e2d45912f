package io.fengyu.agent.tool.browser;

import io.fengyu.agent.tool.ToolCall;
import io.fengyu.agent.tool.ToolException;
import io.fengyu.agent.tool.WebRules;
import io.fengyu.agent.tool.web.Targets;
import io.fengyu.contract.outbound.TargetPolicy;
import io.quarkus.runtime.ShutdownEvent;
import io.vertx.core.Vertx;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/** Who has which pages: each run, or the conversation it belongs to, its own. */
@Singleton
class Contexts {

  // Who was there a moment ago is not pushed out.
  private static final Duration QUIET = Duration.ofMinutes(1);

  private final Vertx vertx;
  private final Browser browser;
  private final Targets targets;
  private final WebRules rules;
  private final int most;
  private final Duration idle;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, Context> open = new HashMap<>();
  private boolean watching;

  @Inject
  Contexts(
      Vertx vertx, Browser browser, TargetPolicy policy, WebRules rules, BrowserConfig config) {
    this(vertx, browser, policy::addresses, rules, config.contexts(), config.idle());
  }

  Contexts(Vertx vertx, Browser browser, Targets targets, WebRules rules, int most, Duration idle) {
    this.vertx = vertx;
    this.browser = browser;
    this.targets = targets;
    this.rules = rules;
    this.most = most;
    this.idle = idle;
  }

  private static String key(ToolCall call) {
    var home = call.sessionId() != null ? call.sessionId() : String.valueOf(call.runId());
    return call.owner() + '\n' + home;
  }

  /** That of a call's run or conversation; made when needed. Blocks. */
  Context of(ToolCall call) throws BrowserGoneException, ToolException, InterruptedException {
    lock.lockInterruptibly();
    try {
      var key = key(call);
      var known = open.get(key);
      if (known != null && !known.isGone()) {
        known.used();
        return known;
      }
      open.values().removeIf(Context::isGone);
      makeRoom();
      var gate = new Gate(call.owner(), targets, rules);
      var made = Context.open(vertx, browser.open(), gate, browser.remote());
      open.put(key, made);
      watch();
      return made;
    } finally {
      lock.unlock();
    }
  }

  private void makeRoom() throws ToolException {
    if (open.size() < most) {
      return;
    }
    var longest =
        open.entrySet().stream()
            .filter(entry -> entry.getValue().idleNanos() > QUIET.toNanos())
            .filter(entry -> !entry.getValue().lock.isLocked())
            .max(Comparator.comparingLong(entry -> entry.getValue().idleNanos()))
            .orElseThrow(
                () -> new ToolException("all " + most + " browsers are in use; try again later"));
    open.remove(longest.getKey());
    longest.getValue().close();
  }

  /** Ends the pages of a call's run or conversation; false when there are none. Blocks. */
  boolean close(ToolCall call) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      var known = open.remove(key(call));
      if (known != null) {
        known.close();
        endIfUnused();
      }
      return known != null;
    } finally {
      lock.unlock();
    }
  }

  // Only while somebody has pages; nothing wakes up otherwise.
  private void watch() {
    if (watching) {
      return;
    }
    watching = true;
    vertx.setTimer(
        Math.clamp(idle.toMillis() / 2, 100, 60_000),
        now -> Thread.ofVirtual().name("browser-sweep").start(this::sweep));
  }

  private void sweep() {
    lock.lock();
    try {
      watching = false;
      for (var entry : List.copyOf(open.entrySet())) {
        var context = entry.getValue();
        if (context.isGone()
            || (context.idleNanos() > idle.toNanos() && !context.lock.isLocked())) {
          open.remove(entry.getKey());
          context.close();
        }
      }
      if (open.isEmpty()) {
        browser.close();
      } else {
        watch();
      }
    } finally {
      lock.unlock();
    }
  }

  private void endIfUnused() {
    if (open.isEmpty()) {
      browser.close();
    }
  }

  void stop(@Observes ShutdownEvent stopping) {
    close();
  }

  /** Ends everything. Blocks. */
  void close() {
    lock.lock();
    try {
      open.values().forEach(Context::close);
      open.clear();
      browser.close();
    } finally {
      lock.unlock();
    }
  }

  /** How many there are. */
  int size() {
    lock.lock();
    try {
      return open.size();
    } finally {
      lock.unlock();
    }
  }
}
