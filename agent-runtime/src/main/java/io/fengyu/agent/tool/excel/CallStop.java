package io.fengyu.agent.tool.excel;

import io.fengyu.agent.tool.ToolCall;
import java.util.concurrent.atomic.AtomicBoolean;

/** Ends the work when the run is to stop, or when somebody called the cancel tool. */
final class CallStop implements Stop {

  private static final long LOOK_EVERY_NANOS = 500_000_000L;

  private final ToolCall call;
  private final ExcelMemory memory;
  private final AtomicBoolean interrupted = new AtomicBoolean();
  private long lookedAt = System.nanoTime();

  CallStop(ToolCall call, ExcelMemory memory) {
    this.call = call;
    this.memory = memory;
  }

  void interrupt() {
    interrupted.set(true);
  }

  @Override
  public void check() throws Stopped {
    if (interrupted.get() || call.cancelled().getAsBoolean() || askedToStop()) {
      throw new Stopped();
    }
  }

  // The tool may be called on another replica, so its wish is a file; looked for now and then.
  private boolean askedToStop() {
    long now = System.nanoTime();
    if (now - lookedAt < LOOK_EVERY_NANOS) {
      return false;
    }
    lookedAt = now;
    return memory.askedToStop();
  }
}
