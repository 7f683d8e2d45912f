package io.fengyu.agent.hook;

import io.fengyu.agent.process.Child;
import io.fengyu.agent.process.Children;
import io.fengyu.agent.process.CleanEnvironment;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Runs hooks that are commands; nothing of them is left afterwards. */
@ApplicationScoped
class CommandHooks {

  static final int LONGEST = 64_000;

  private static final Duration END_WITHIN = Duration.ofSeconds(4);

  private final Children children;
  private final HookConfig config;

  CommandHooks(Children children, HookConfig config) {
    this.children = children;
    this.config = config;
  }

  Outcome run(Hook hook, Hook.Action.Command action, Envelope envelope)
      throws InterruptedException {
    Child child;
    try {
      child = children.start(start(action, envelope));
    } catch (IOException notStarted) {
      return new Outcome.Failed("it can't be started");
    }
    try {
      return heard(hook, child, envelope);
    } finally {
      child.end(END_WITHIN);
    }
  }

  private Children.Start start(Hook.Action.Command action, Envelope envelope) throws IOException {
    var environment = CleanEnvironment.inherited();
    environment.putAll(action.environment());
    environment.put("FENGYU_HOOK_EVENT", envelope.event().wire());
    var run = envelope.runId();
    environment.put("FENGYU_RUN_ID", run == null ? "" : run.toString());
    var named = action.directory();
    var directory = named == null ? Files.createDirectories(Path.of(config.directory())) : named;
    return new Children.Start(
        "hook-" + UUID.randomUUID(),
        List.of("/bin/sh", "-c", action.line()),
        directory.toAbsolutePath(),
        environment,
        true,
        false);
  }

  private static Outcome heard(Hook hook, Child child, Envelope envelope)
      throws InterruptedException {
    var stdout = read(child.stdout());
    var stderr = read(child.stderr());
    tell(child.stdin(), envelope.toJson());
    if (!child.endsWithin(hook.timeout())) {
      return new Outcome.Failed("it took longer than " + hook.timeout().toSeconds() + " s");
    }
    int exitCode = child.exitCode();
    // Whoever it left behind may hold its pipes open.
    child.end(END_WITHIN);
    return Outcome.of(exitCode, text(stdout), text(stderr));
  }

  private static String text(CompletableFuture<String> output) throws InterruptedException {
    try {
      return output.get(END_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException unread) {
      return "";
    }
  }

  /** Keeps the beginning, and reads on to the end. */
  private static CompletableFuture<String> read(InputStream stream) {
    var output = new CompletableFuture<String>();
    Thread.ofVirtual().name("hook-output").start(() -> output.complete(drained(stream)));
    return output;
  }

  private static String drained(InputStream stream) {
    var kept = new StringBuilder();
    try (var reader = new InputStreamReader(stream, StandardCharsets.UTF_8)) {
      var buffer = new char[4096];
      for (int read = reader.read(buffer); read >= 0; read = reader.read(buffer)) {
        kept.append(buffer, 0, Math.min(read, LONGEST - kept.length()));
      }
    } catch (IOException gone) {
      // Its end; what was read counts.
      return kept.toString();
    }
    return kept.toString();
  }

  private static void tell(OutputStream stdin, String envelope) {
    Thread.ofVirtual()
        .name("hook-input")
        .start(
            () -> {
              try (stdin) {
                stdin.write(envelope.getBytes(StandardCharsets.UTF_8));
              } catch (IOException notRead) {
                // A hook need not read what it is told.
                Thread.onSpinWait();
              }
            });
  }
}
