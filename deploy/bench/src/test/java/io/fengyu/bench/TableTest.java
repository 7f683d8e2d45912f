package io.fengyu.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;

class TableTest {

  @Test
  void columnsLineUpAndNumbersKeepTheDigitsThatMatter() {
    var out = new ByteArrayOutputStream();

    new Table(new PrintStream(out, true, UTF_8), "what", "rate", "ratio")
        .row("bare", 12345.6, 1.0)
        .row("with a journal", 987.65, 0.08)
        .print();

    assertThat(out.toString(UTF_8).lines())
        .containsExactly(
            "what              rate  ratio",
            "bare            12,346   1.00",
            "with a journal     988  0.080");
  }

  @Test
  void aRowWithAMissingCellIsRefused() {
    var table = new Table(System.out, "what", "rate");

    assertThatThrownBy(() -> table.row("bare")).isInstanceOf(IllegalArgumentException.class);
  }
}
