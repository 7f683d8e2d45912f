package io.fengyu.agent.process;

import io.quarkus.runtime.ShutdownEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Starts processes that never outlive the work they were started for, not even when this process is
 * killed or stopped.
 */
@ApplicationScoped
public class Children {

  private static final Path NOTHING = Path.of("/dev/null");
  private static final Duration LAST_PATIENCE = Duration.ofSeconds(3);
  private static final List<String> SESSION = session();

  private final Watchdog watchdog;
  private final Set<Child> living = ConcurrentHashMap.newKeySet();

  /**
   * Begins without any.
   *
   * @param lease how long others wait before they take over the work of a process that is silent
   */
  public Children(@ConfigProperty(name = "fengyu.children.lease") Duration lease) {
    watchdog = new Watchdog(lease.dividedBy(2));
  }

  /**
   * What to start.
   *
   * @param work what it is for, such as the id of a run; a later process finds it by this
   * @param environment all of it; see {@link CleanEnvironment}
   * @param listens true when it reads from {@link Child#stdin}; it finds nothing to read otherwise
   * @param sandboxed true when the command is a sandbox around the real one
   */
  public record Start(
      String work,
      List<String> command,
      Path directory,
      Map<String, String> environment,
      boolean listens,
      boolean sandboxed) {}

  private static List<String> session() {
    for (var place : List.of("/usr/bin/setsid", "/bin/setsid")) {
      if (new File(place).canExecute()) {
        return List.of(place);
      }
    }
    return List.of();
  }

  /** Starts a process as the leader of a session. Blocks. */
  public Child start(Start start) throws IOException, InterruptedException {
    var mark = Mark.of(start.work());
    watchdog.on();
    var started = new CompletableFuture<Process>();
    var child = started.thenApply(process -> child(process, mark, start.sandboxed()));
    Thread.ofPlatform()
        .daemon()
        .name("child-of-" + start.work())
        .start(() -> live(builder(start, mark), started, child));
    try {
      return child.get();
    } catch (InterruptedException stopped) {
      endUnwanted(child);
      throw stopped;
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException cause
          ? cause
          : new IOException("no process could be started", e.getCause());
    }
  }

  // Nobody will ever hold it, so it has to be gone before anybody hears of the interrupt.
  private static void endUnwanted(CompletableFuture<Child> child) {
    var unused =
        child.thenApply(started -> started.end(LAST_PATIENCE)).exceptionally(e -> true).join();
  }

  private Child child(Process process, Mark mark, boolean sandboxed) {
    var child = new Child(process, tree(process, mark, sandboxed));
    living.add(child);
    watchdog.watch(process.pid());
    return child;
  }

  private static Tree tree(Process process, Mark mark, boolean sandboxed) {
    return ProcTable.known()
        ? ProcessTree.of(process.pid(), mark, sandboxed)
        : new DescendantTree(process.toHandle());
  }

  // The kernel ends a sandbox together with the thread that started it, so that thread stays.
  private void live(
      ProcessBuilder builder, CompletableFuture<Process> started, CompletableFuture<Child> child) {
    Process process;
    try {
      process = builder.start();
    } catch (IOException | RuntimeException e) {
      watchdog.off();
      started.completeExceptionally(e);
      return;
    }
    started.complete(process);
    awaitEnd(process);
    living.remove(child.join());
    watchdog.forget(process.pid());
  }

  private static void awaitEnd(Process process) {
    process.onExit().join();
  }

  private static ProcessBuilder builder(Start start, Mark mark) {
    var command = new ArrayList<>(SESSION);
    command.addAll(start.command());
    var builder = new ProcessBuilder(command).directory(start.directory().toFile());
    if (!start.listens()) {
      builder.redirectInput(Redirect.from(NOTHING.toFile()));
    }
    var environment = builder.environment();
    environment.clear();
    environment.putAll(start.environment());
    environment.put(Mark.NAME, mark.value());
    return builder;
  }

  /**
   * Ends what was started for some works on this machine, by whatever process of ours, dead or as
   * good as dead. Blocks.
   *
   * @return false when something of it still lives
   */
  public boolean endLeftBehind(Set<String> works) {
    return !ProcTable.known() || ProcessTree.ofWorks(works).end(LAST_PATIENCE);
  }

  void stop(@Observes ShutdownEvent stopped) {
    living.parallelStream().forEach(child -> child.end(LAST_PATIENCE));
    watchdog.close();
  }
}
