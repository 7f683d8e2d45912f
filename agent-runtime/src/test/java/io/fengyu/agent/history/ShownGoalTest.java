package io.fengyu.agent.history;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ShownGoalTest {

  private static final String INPUTS =
      "{\"order\":7,\"api_token\":\"hush\",\"mail\":{\"password\":\"hush\",\"to\":\"a@b\"}}";

  @Test
  void aGoalIsShownWithItsInputs() {
    assertThat(ShownGoal.of("Report {{inputs.order}} to {{ inputs.mail.to }}", INPUTS))
        .isEqualTo("Report 7 to a@b");
  }

  @Test
  void inputsWithTheNameOfASecretAreNeverShown() {
    assertThat(
            ShownGoal.of(
                "With {{inputs.api_token}}, {{inputs.mail.password}}, {{inputs.mail}}", INPUTS))
        .doesNotContain("hush")
        .startsWith("With ***, ***, ");
  }

  @Test
  void aGoalWithoutItsInputsIsShownAsWritten() {
    assertThat(ShownGoal.of("Report {{inputs.order}}", null)).isEqualTo("Report {{inputs.order}}");
    assertThat(ShownGoal.of("Report {{inputs.gone}}", INPUTS)).isEqualTo("Report {{inputs.gone}}");
    assertThat(ShownGoal.of("Plain", "no JSON")).isEqualTo("Plain");
  }
}
