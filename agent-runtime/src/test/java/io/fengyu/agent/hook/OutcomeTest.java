package io.fengyu.agent.hook;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OutcomeTest {

  @Test
  void aDenialInWordsCountsWhateverTheExitCode() {
    for (int code : new int[] {0, 1, 2, 137}) {
      assertThat(Outcome.of(code, "{\"decision\":\"deny\",\"reason\":\"no\"}", ""))
          .isEqualTo(new Outcome.Denied("no"));
    }
  }

  @Test
  void exitCodeTwoDeniesWithTheFirstLineOfComplaint() {
    assertThat(Outcome.of(2, "", "\n not today \nmore")).isEqualTo(new Outcome.Denied("not today"));
    assertThat(Outcome.of(2, "", "")).isEqualTo(new Outcome.Denied(null));
    assertThat(Outcome.of(2, "{\"decision\":\"allow\"}", "x")).isEqualTo(new Outcome.Denied("x"));
  }

  @Test
  void zeroOrAnAllowanceGoesOn() {
    assertThat(Outcome.of(0, "", "")).isEqualTo(new Outcome.Passed());
    assertThat(Outcome.of(0, "hello", "x")).isEqualTo(new Outcome.Passed());
    assertThat(Outcome.of(1, "{\"decision\":\"allow\"}", "")).isEqualTo(new Outcome.Passed());
  }

  @Test
  void whateverElseIsAFailureAndNoDenial() {
    assertThat(Outcome.of(1, "", "")).isInstanceOf(Outcome.Failed.class);
    assertThat(Outcome.of(137, "{broken", "")).isInstanceOf(Outcome.Failed.class);
    assertThat(Outcome.of(0, "{\"decision\":\"maybe\"}", "")).isInstanceOf(Outcome.Failed.class);
  }
}
