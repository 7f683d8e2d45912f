package io.fengyu.agent.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CleanEnvironmentTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "FENGYU_TOKEN",
        "FENGYU_TOKENS",
        "FENGYU_TOKEN_FILE",
        "FENGYU_MACHINE_KEY",
        "FENGYU_MACHINE_KEY_PREVIOUS",
        "DB_PASSWORD",
        "DB_URL",
        "QUARKUS_DATASOURCE_USERNAME",
        "INTERNAL_SERVICE_SECRET",
        "OPENAI_API_KEY",
        "openai_api_key",
        "MyApiKey",
        "AWS_SECRET_ACCESS_KEY",
        "AWS_ACCESS_KEY_ID",
        "GITHUB_TOKEN",
        "PGPASSWORD",
        "SMTP_PASSWD",
        "SMTP_PASS",
        "SESSION_COOKIE",
        "HTTP_AUTHORIZATION",
        "GOOGLE_APPLICATION_CREDENTIALS",
        "SSH_PRIVATE",
        "LD_PRELOAD",
        "JAVA_TOOL_OPTIONS",
        "NODE_OPTIONS",
        "PYTHONPATH",
        "DYLD_INSERT_LIBRARIES",
        "BASH_ENV"
      })
  void secretsAndWhatLoadsCodeStayHere(String name) {
    assertThat(CleanEnvironment.of(Map.of(name, "canary"))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"PATH", "HOME", "LANG", "LC_ALL", "TZ", "PWD", "JAVA_HOME", "KEYBOARD"})
  void theRestIsInherited(String name) {
    assertThat(CleanEnvironment.of(Map.of(name, "x"))).containsEntry(name, "x");
  }

  @Test
  void anAddressWithAPasswordIsASecretWhateverItsName() {
    assertThat(CleanEnvironment.of(Map.of("http_proxy", "http://me:canary@proxy:3128"))).isEmpty();
    assertThat(CleanEnvironment.of(Map.of("http_proxy", "http://proxy:3128"))).hasSize(1);
  }
}
