package io.fengyu.agent.process;

import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A running child process, the leader of a session of its own. */
public final class Child {

  private final Process process;
  private final Tree tree;

  Child(Process process, Tree tree) {
    this.process = process;
    this.tree = tree;
  }

  /** Names the process, its group and its session. */
  public long pid() {
    return process.pid();
  }

  /** What it writes. */
  public InputStream stdout() {
    return process.getInputStream();
  }

  /** What it complains about. */
  public InputStream stderr() {
    return process.getErrorStream();
  }

  /** What it reads. */
  public OutputStream stdin() {
    return process.getOutputStream();
  }

  /** True when it ended by itself in that time; others of its tree may still live. */
  public boolean endsWithin(Duration patience) throws InterruptedException {
    return process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** True while the child itself lives. */
  public boolean alive() {
    return process.isAlive();
  }

  /** Its exit code; only after its end. A process that was killed has 128 and the signal. */
  public int exitCode() {
    return process.exitValue();
  }

  /**
   * Ends the child and everything that came of it: asks, and kills two seconds later. Blocks until
   * nothing is left, and takes no interrupt.
   *
   * @param patience how long to try, at least
   * @return false when something still lives
   */
  public boolean end(Duration patience) {
    return tree.end(patience);
  }
}
