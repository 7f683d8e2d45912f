package io.fengyu.workflow.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fengyu.contract.problem.ProblemException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RawBodyTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{ \"a\" : 1.0 }",
        "[1e400, -0, 0.10]",
        "\"\\u00e9\\ud800 \\n{}\"",
        "12",
        "-1.5E+3",
        "true",
        "{\"x\":{\"x\":1},\"x\":2}",
        "\"é😀\"",
        "{}",
        "[]"
      })
  void everyMemberIsCutOutAsItWasWritten(String value) {
    // Long texts are read in pieces, so places behind several of them must be right too.
    for (var before : new String[] {"", "x".repeat(10), "é".repeat(40_000), "😀".repeat(100_000)}) {
      var body =
          body("{ \"before\":\"" + before + "\" ,\n \"it\" : " + value + " , \"after\":[0]}");

      assertThat(body.raw("it")).isEqualTo(value);
      assertThat(body.raw("after")).isEqualTo("[0]");
      assertThat(body.string("before")).isEqualTo(before);
    }
  }

  @Test
  void nullAndAbsentAreTheSame() {
    var body = body("{\"a\":null}");

    assertThat(body.raw("a")).isNull();
    assertThat(body.tree("b")).isNull();
    assertThat(body.integer("a")).isNull();
    assertThat(body.bool("a", true)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "[]", "1", "{", "{\"a\":}", "{} x", "{\"a\":1}{}", "{'a':1}"})
  void whatIsNoObjectIsRefused(String text) {
    assertThatThrownBy(() -> body(text)).isInstanceOf(ProblemException.class);
  }

  @Test
  void whatIsNoUtf8IsRefused() {
    assertThatThrownBy(() -> RawBody.of(new byte[] {'{', '"', (byte) 0xff, '"', ':', '1', '}'}))
        .isInstanceOf(ProblemException.class);
  }

  private static RawBody body(String text) {
    return RawBody.of(text.getBytes(StandardCharsets.UTF_8));
  }
}
