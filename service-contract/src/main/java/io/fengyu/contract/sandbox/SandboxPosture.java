package io.fengyu.contract.sandbox;

import io.fengyu.contract.client.InternalClient;
import io.fengyu.contract.client.Service;
import io.fengyu.contract.db.Listener;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Whether plugins run without a sandbox, as an admin has set it. Asked of agent-runtime and
 * remembered for a while; forgotten as soon as any setting changes.
 */
@ApplicationScoped
public class SandboxPosture {

  private static final Duration REMEMBERED = Duration.ofSeconds(20);

  private record Known(boolean weakened, long atNanos) {}

  private final InternalClient client;
  private final Listener listener;
  private final AtomicReference<@Nullable Known> known = new AtomicReference<>();
  private final AtomicBoolean listening = new AtomicBoolean();
  private final AtomicLong changes = new AtomicLong();

  SandboxPosture(InternalClient client, Listener listener) {
    this.client = client;
    this.listener = listener;
  }

  /**
   * True when plugins run without a sandbox now.
   *
   * @param owner on whose behalf it is asked; the answer is the same for all
   */
  public Uni<Boolean> weakened(String owner) {
    if (listening.compareAndSet(false, true)) {
      listener.listen("fengyu_settings", changed -> forget(), this::forget);
    }
    var last = known.get();
    return last != null && listener.connected() && fresh(last)
        ? Uni.createFrom().item(last.weakened)
        : ask(owner);
  }

  private void forget() {
    changes.incrementAndGet();
    known.set(null);
  }

  private static boolean fresh(Known last) {
    return System.nanoTime() - last.atNanos < REMEMBERED.toNanos();
  }

  private Uni<Boolean> ask(String owner) {
    var asked = System.nanoTime();
    var before = changes.get();
    return client
        .get(Service.AGENT, "/api/settings")
        .as(owner)
        .send()
        .map(answer -> answer.body().path("unsandboxedPlugins").asBoolean(true))
        .invoke(weakened -> remember(new Known(weakened, asked), before));
  }

  // What was answered before a change says nothing about the time after it.
  private void remember(Known answer, long before) {
    known.set(answer);
    if (changes.get() != before) {
      known.compareAndSet(answer, null);
    }
  }
}
