package io.fengyu.contract.outbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fengyu.contract.outbound.TargetPolicy.TargetRefusedException;
import java.net.InetAddress;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;

class TargetPolicyTest {

  private final TargetPolicy policy =
      new TargetPolicy(
          List.of(URI.create("http://localhost:8081"), URI.create("postgresql://127.0.0.1/fengyu")),
          8082,
          InetAddress::getAllByName);

  @Test
  void privateAddressesNeedTheOperatorsWordInEverySpelling() throws Exception {
    for (var host :
        List.of(
            "127.0.0.1",
            "localhost",
            "10.1.2.3",
            "192.168.0.1",
            "[::1]",
            "[::ffff:10.0.0.1]",
            "2130706433",
            "0.0.0.0",
            "100.64.1.1",
            "[fd12::1]")) {
      var url = URI.create("http://" + host + ":9000/mcp");

      assertThatThrownBy(() -> policy.addresses(url, false))
          .as(host)
          .isInstanceOf(TargetRefusedException.class);
    }
    assertThat(policy.addresses(URI.create("http://10.1.2.3:9000/mcp"), true)).hasSize(1);
  }

  @Test
  void nobodysWordOpensMetadataAddressesOrThePlatformItself() {
    for (var url :
        List.of(
            "http://169.254.169.254/latest",
            "http://[fe80::1]/",
            "http://100.100.100.200/",
            "http://127.0.0.1:8081/",
            "http://[::1]:8082/",
            "http://localhost:5432/")) {
      assertThatThrownBy(() -> policy.addresses(URI.create(url), true))
          .as(url)
          .isInstanceOf(TargetRefusedException.class);
    }
  }

  @Test
  void whatIsNoHttpAddressIsNoTarget() {
    for (var url :
        List.of("ftp://example.com/", "http://user:secret@93.184.216.34/", "file:///etc")) {
      assertThatThrownBy(() -> policy.addresses(URI.create(url), true))
          .as(url)
          .isInstanceOf(TargetRefusedException.class);
    }
  }
}
