package io.fengyu.contract.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecretFilesTest {

  @TempDir Path folder;

  @Test
  void aSecretIsReadFromTheFileThatItsVariableNames() throws IOException {
    Path file = Files.writeString(folder.resolve("password"), "open sesame\n");

    var config = config(Map.of("DB_PASSWORD_FILE", file.toString()));

    assertThat(config.getValue("DB_PASSWORD", String.class)).isEqualTo("open sesame");
  }

  @Test
  void variablesThatHoldNoSecretAreLeftAlone() {
    var config = config(Map.of("SSL_CERT_FILE", "/nowhere"));

    assertThat(config.getOptionalValue("SSL_CERT", String.class)).isEmpty();
  }

  @Test
  void theVariableItselfWins() throws IOException {
    Path file = Files.writeString(folder.resolve("token"), "from the file");

    var config = config(Map.of("FENGYU_TOKEN_FILE", file.toString(), "FENGYU_TOKEN", "set"));

    assertThat(config.getValue("FENGYU_TOKEN", String.class)).isEqualTo("set");
  }

  @Test
  void aFileThatCannotBeReadStopsTheStartAndIsNamed() {
    var environment = Map.of("FENGYU_MACHINE_KEY_FILE", "/nowhere/key");

    assertThatThrownBy(() -> config(environment))
        .hasMessageContaining("FENGYU_MACHINE_KEY_FILE")
        .hasMessageContaining("/nowhere/key");
  }

  private static SmallRyeConfig config(Map<String, String> environment) {
    return new SmallRyeConfigBuilder()
        .withSources(new EnvConfigSource(environment, 300))
        .withSources(new SecretFiles())
        .build();
  }
}
