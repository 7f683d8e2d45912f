package io.fengyu.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RawInsertsTest {

  private static ThrowawayPostgres postgres;

  @BeforeAll
  static void start() throws Exception {
    postgres = ThrowawayPostgres.start();
  }

  @AfterAll
  static void stop() throws Exception {
    postgres.close();
  }

  @ParameterizedTest
  @EnumSource
  void theRateIsOfRowsThatAreReallyThere(RawInserts.How how) throws Exception {
    long start = System.nanoTime();
    double rate =
        new RawInserts(postgres, "{\"text\":\"back\\\\slash\"}")
            .rowsPerSecond(how, 2, Duration.ofMillis(300));
    double seconds = (System.nanoTime() - start) / 1e9;

    double rows = Double.parseDouble(postgres.one("SELECT count(*) FROM raw_event"));
    assertThat(rows).isPositive();
    assertThat(rate * 0.3).isLessThanOrEqualTo(rows);
    assertThat(rate * seconds).isGreaterThanOrEqualTo(rows);
    assertThat(postgres.one("SELECT data->>'text' FROM raw_event LIMIT 1"))
        .isEqualTo("back\\slash");
  }

  @Test
  void everyRowIsOnDiskWhenItCounts() throws Exception {
    assertThat(postgres.one("SHOW fsync")).isEqualTo("on");
    assertThat(postgres.one("SHOW synchronous_commit")).isEqualTo("on");
  }
}
