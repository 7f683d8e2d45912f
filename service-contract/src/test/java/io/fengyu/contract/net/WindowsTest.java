package io.fengyu.contract.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class WindowsTest {

  private final AtomicLong now = new AtomicLong();
  private final Windows windows = new Windows(now::get);

  @Test
  void keysAreCountedApartUntilTheMinuteIsOver() {
    assertThat(windows.count("a")).isEqualTo(1);
    assertThat(windows.count("a")).isEqualTo(2);
    assertThat(windows.count("b")).isEqualTo(1);

    now.addAndGet(Duration.ofSeconds(60).toNanos());

    assertThat(windows.count("a")).isEqualTo(1);
  }

  @Test
  void theRestOfTheMinuteIsTheWait() {
    now.addAndGet(Duration.ofSeconds(45).toNanos());

    assertThat(windows.remaining()).isEqualTo(Duration.ofSeconds(15));
  }
}
