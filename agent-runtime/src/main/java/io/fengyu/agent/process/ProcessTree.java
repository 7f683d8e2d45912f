package io.fengyu.agent.process;

import io.fengyu.agent.process.ProcTable.Proc;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A child with everything that came of it: its descendants, its session, and whatever carries its
 * mark. Once seen, a member is never lost sight of.
 */
final class ProcessTree implements Tree {

  private static final Duration GRACE = Duration.ofSeconds(2);
  private static final int LOOK_EVERY_MS = 20;

  private final Predicate<Proc> seed;
  private final Predicate<Proc> deaf;
  private final Map<Long, Long> seen = new HashMap<>();
  private final ReentrantLock lock = new ReentrantLock();

  private ProcessTree(Predicate<Proc> seed, Predicate<Proc> deaf) {
    this.seed = seed;
    this.deaf = deaf;
  }

  /**
   * The tree of a child that leads a session.
   *
   * @param sandboxed true when the child and the first of its children are the sandbox itself,
   *     which would end without letting anybody inside say a last word
   */
  static ProcessTree of(long root, Mark mark, boolean sandboxed) {
    var entry = mark.entry();
    return new ProcessTree(
        proc ->
            proc.pid() == root
                || proc.session() == root
                || ProcTable.environment(proc).contains(entry),
        proc -> sandboxed && (proc.pid() == root || proc.parent() == root));
  }

  /** Whatever was started for some works, by whomever. */
  static ProcessTree ofWorks(Set<String> works) {
    return new ProcessTree(
        proc -> ProcTable.mark(proc).filter(works::contains).isPresent(), proc -> false);
  }

  /** Its members that live right now. */
  private List<Proc> living() {
    var all = ProcTable.living();
    seen.entrySet().removeIf(member -> !is(all.get(member.getKey()), member.getValue()));
    all.values().stream()
        .filter(proc -> !seen.containsKey(proc.pid()) && seed.test(proc))
        .forEach(proc -> seen.put(proc.pid(), proc.started()));
    addDescendants(all);
    return all.values().stream().filter(proc -> seen.containsKey(proc.pid())).toList();
  }

  private static boolean is(@Nullable Proc proc, long started) {
    return proc != null && proc.started() == started;
  }

  private void addDescendants(Map<Long, Proc> all) {
    Set<Long> members = new HashSet<>(seen.keySet());
    boolean grown = true;
    while (grown) {
      grown = false;
      for (var proc : all.values()) {
        if (members.contains(proc.parent()) && members.add(proc.pid())) {
          seen.put(proc.pid(), proc.started());
          grown = true;
        }
      }
    }
  }

  @Override
  public boolean end(Duration patience) {
    lock.lock();
    try {
      return endAll(patience);
    } finally {
      lock.unlock();
    }
  }

  private boolean endAll(Duration patience) {
    long deadline = System.nanoTime() + patience.toNanos();
    living().stream().filter(deaf.negate()).forEach(ProcessTree::ask);
    if (goneBy(Math.min(deadline, System.nanoTime() + GRACE.toNanos()))) {
      return true;
    }
    do {
      living().forEach(ProcessTree::kill);
    } while (!goneBy(System.nanoTime() + 5L * LOOK_EVERY_MS * 1_000_000)
        && System.nanoTime() < deadline);
    return living().isEmpty();
  }

  private boolean goneBy(long deadline) {
    while (!living().isEmpty()) {
      if (System.nanoTime() > deadline) {
        return false;
      }
      Pauses.pause(LOOK_EVERY_MS);
    }
    return true;
  }

  private static void ask(Proc proc) {
    ProcessHandle.of(proc.pid()).ifPresent(ProcessHandle::destroy);
  }

  private static void kill(Proc proc) {
    ProcessHandle.of(proc.pid()).ifPresent(ProcessHandle::destroyForcibly);
  }
}
