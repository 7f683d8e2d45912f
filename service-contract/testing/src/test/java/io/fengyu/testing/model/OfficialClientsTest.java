package io.fengyu.testing.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.fengyu.testing.node.NodeFolder;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class OfficialClientsTest {

  private static final Duration WITHIN = Duration.ofSeconds(90);

  @Test
  void theProvidersOwnClientsUnderstandTheScriptedModel() throws Exception {
    var clients = NodeFolder.installed("OfficialClientsTest", "peers.mjs");

    try (var server = ModelServer.start()) {
      var said = clients.run(WITHIN, "node", "peers.mjs", server.address().toString());

      assertThat(said).endsWith("done");
      assertThat(said.lines().filter(line -> line.startsWith("ok ")).count()).isEqualTo(18);
    }
  }
}
