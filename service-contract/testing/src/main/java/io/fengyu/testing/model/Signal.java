package io.fengyu.testing.model;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Something that a script waits for and a test lets happen; once fired it stays so. */
public final class Signal {

  private static final long LONGEST_WAIT_SECONDS = 60;

  private final CountDownLatch latch = new CountDownLatch(1);

  /** Lets every waiting script go on. */
  public void fire() {
    latch.countDown();
  }

  /** True from the first {@link #fire} on. */
  public boolean fired() {
    return latch.getCount() == 0;
  }

  /** False when nothing came within a minute. */
  boolean await() throws InterruptedException {
    return latch.await(LONGEST_WAIT_SECONDS, TimeUnit.SECONDS);
  }
}
