package io.fengyu.agent.process;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The tree of a child on a system that shows processes no other way: those that left it before they
 * were seen are not found.
 */
final class DescendantTree implements Tree {

  private static final Duration GRACE = Duration.ofSeconds(2);
  private static final int LOOK_EVERY_MS = 20;

  private final ProcessHandle root;
  private final Set<ProcessHandle> seen = new LinkedHashSet<>();

  DescendantTree(ProcessHandle root) {
    this.root = root;
  }

  @Override
  public boolean end(Duration patience) {
    long deadline = System.nanoTime() + patience.toNanos();
    long kill = Math.min(deadline, System.nanoTime() + GRACE.toNanos());
    tell(ProcessHandle::destroy);
    while (lives() && System.nanoTime() < deadline) {
      Pauses.pause(LOOK_EVERY_MS);
      if (System.nanoTime() > kill) {
        tell(ProcessHandle::destroyForcibly);
      }
    }
    return !lives();
  }

  private void tell(Consumer<ProcessHandle> what) {
    seen.add(root);
    root.descendants().forEach(seen::add);
    seen.stream().filter(ProcessHandle::isAlive).forEach(what);
  }

  private boolean lives() {
    return seen.stream().anyMatch(ProcessHandle::isAlive);
  }
}
