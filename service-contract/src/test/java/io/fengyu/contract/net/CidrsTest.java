package io.fengyu.contract.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class CidrsTest {

  @Test
  void rangesOfBothFamiliesAreMatchedByTheirBits() {
    var ranges = Cidrs.parse("TRUSTED_PROXIES", "10.1.0.0/20, 172.30.57.10, fd00::/8");

    assertThat(ranges.contain("10.1.15.255")).isTrue();
    assertThat(ranges.contain("10.1.16.0")).isFalse();
    assertThat(ranges.contain("172.30.57.10")).isTrue();
    assertThat(ranges.contain("172.30.57.11")).isFalse();
    assertThat(ranges.contain("fd12::1")).isTrue();
    assertThat(ranges.contain("fe80::1%eth0")).isFalse();
  }

  @Test
  void aMappedAddressCountsAsItsPlainForm() {
    assertThat(Cidrs.parse("X", "10.0.0.0/8").contain("::ffff:10.2.3.4")).isTrue();
    assertThat(Cidrs.loopback("::ffff:127.0.0.1")).isTrue();
  }

  @Test
  void loopbackIsAWholeNetworkAndOneAddress() {
    assertThat(Cidrs.loopback("127.8.8.8")).isTrue();
    assertThat(Cidrs.loopback("::1")).isTrue();
    assertThat(Cidrs.loopback("[::1]")).isTrue();
    assertThat(Cidrs.loopback("::2")).isFalse();
    assertThat(Cidrs.loopback("128.0.0.1")).isFalse();
  }

  @Test
  void namesAreNeverLookedUp() {
    assertThat(Cidrs.loopback("localhost")).isFalse();
    assertThat(Cidrs.parse("X", "0.0.0.0/0").contain("example.com")).isFalse();
    assertThat(Cidrs.parse("X", "").contain("10.0.0.1")).isFalse();
  }

  @Test
  void whatIsNoRangeStopsTheStartAndNamesTheSetting() {
    assertThatThrownBy(() -> Cidrs.parse("TRUSTED_PROXIES", "10.0.0.0/33"))
        .hasMessageContaining("TRUSTED_PROXIES");
    assertThatThrownBy(() -> Cidrs.parse("TRUSTED_PROXIES", "proxy.local"))
        .hasMessageContaining("TRUSTED_PROXIES");
  }
}
