package io.fengyu.agent.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DomainRulesTest {

  private static final String DENY = "WebFetch(domain:bad.example)";
  private static final String ASK = "WebFetch(domain:odd.example)";
  private final DomainRules rules =
      new DomainRules(
          owner ->
              RuleSet.of(
                  new RuleTexts(
                      List.of("WebFetch"), List.of(ASK), List.of(DENY, "Tool(web_fetch)"))));

  @ParameterizedTest
  @CsvSource({
    "https://bad.example/x, true, true",
    "https://BAD.example./x, true, true",
    "https://sub.bad.example:8443/x, true, true",
    "https://notbad.example/x, false, false",
    "https://bad.example.org/x, false, false",
    "https://odd.example/x, false, true",
    "https://good.example/?u=bad.example, false, false"
  })
  void anAddressFallsUnderTheRulesOfItsDomain(URI address, boolean denied, boolean restricted) {
    assertThat(rules.denying("alice", address).isPresent()).isEqualTo(denied);
    assertThat(rules.restricting("alice", address).isPresent()).isEqualTo(restricted);
  }

  @Test
  void theRuleIsNamedAsItWasWritten() {
    assertThat(rules.denying("alice", URI.create("https://bad.example"))).contains(DENY);
    assertThat(rules.restricting("alice", URI.create("https://odd.example"))).contains(ASK);
  }

  @Test
  void rulesThatCannotBeReadDenyEverything() {
    var broken =
        new DomainRules(
            owner -> {
              throw new IllegalStateException("no database");
            });

    assertThat(broken.denying("alice", URI.create("https://good.example"))).isPresent();
  }
}
