package io.fengyu.chat.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EndpointPolicyTest {

  private record Settings(
      String profile,
      Optional<Boolean> allowPrivate,
      Optional<List<String>> allowHosts,
      Optional<List<String>> operatorUrls)
      implements EndpointConfig {}

  private static EndpointPolicy policy(String profile, String host, String url) {
    return new EndpointPolicy(
        new Settings(
            profile, Optional.empty(), Optional.of(List.of(host)), Optional.of(List.of(url))));
  }

  @Test
  void aWorkstationCallsPrivateHosts() {
    var workstation = policy("workstation", "", "");

    assertThat(addresses(workstation, "http://127.0.0.1:11434")).hasSize(1);
    assertThat(workstation.refusesLiterally(URI.create("http://localhost:11434"))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://127.0.0.1:11434",
        "http://localhost",
        "http://[::1]:80",
        "http://10.0.0.9"
      })
  void aServerDoesNot(String url) {
    var server = policy("server", "", "");

    assertThat(server.refusesLiterally(URI.create(url))).isTrue();
    assertThatThrownBy(() -> addresses(server, url)).hasMessageContaining("not allowed");
  }

  @Test
  void aServerCallsThePrivateHostsThatItsOperatorNames() {
    var server = policy("server", "10.0.0.9", "http://127.0.0.1:11434");

    assertThat(addresses(server, "http://10.0.0.9:8000")).hasSize(1);
    assertThat(addresses(server, "http://127.0.0.1:11434")).hasSize(1);
    assertThatThrownBy(() -> addresses(server, "http://127.0.0.1:5432"))
        .hasMessageContaining("not allowed");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"http://169.254.169.254", "http://[fd00:ec2::254]", "http://100.100.100.200"})
  void nobodyCallsWhereCloudsHandOutCredentials(String url) {
    var host = URI.create(url).getHost();

    for (var policy : List.of(policy("workstation", host, url), policy("server", host, url))) {
      assertThat(policy.refusesLiterally(URI.create(url))).isTrue();
      assertThatThrownBy(() -> addresses(policy, url)).hasMessageContaining("not allowed");
    }
  }

  @Test
  void whatWasCheckedIsConnectedTo() {
    var address = addresses(policy("workstation", "", ""), "http://127.0.0.1:81").getFirst();

    assertThat(address.hostAddress()).isEqualTo("127.0.0.1");
    assertThat(address.port()).isEqualTo(81);
  }

  private static List<io.vertx.core.net.SocketAddress> addresses(
      EndpointPolicy policy, String url) {
    return policy.addresses(URI.create(url)).await().atMost(Duration.ofSeconds(10));
  }
}
