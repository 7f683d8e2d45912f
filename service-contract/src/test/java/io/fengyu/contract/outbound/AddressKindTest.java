package io.fengyu.contract.outbound;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AddressKindTest {

  @ParameterizedTest
  @CsvSource({
    "8.8.8.8, PUBLIC",
    "2606:4700::1111, PUBLIC",
    "127.0.0.1, PRIVATE",
    "2130706433, PRIVATE",
    "0.0.0.0, PRIVATE",
    "10.0.0.1, PRIVATE",
    "172.16.0.1, PRIVATE",
    "172.32.0.1, PUBLIC",
    "192.168.0.1, PRIVATE",
    "100.64.0.1, PRIVATE",
    "100.128.0.1, PUBLIC",
    "198.18.0.1, PRIVATE",
    "224.0.0.1, PRIVATE",
    "255.255.255.255, PRIVATE",
    "::1, PRIVATE",
    "::, PRIVATE",
    "fc00::1, PRIVATE",
    "fd12::1, PRIVATE",
    "ff02::1, PRIVATE",
    "::ffff:10.0.0.1, PRIVATE",
    "::ffff:8.8.8.8, PUBLIC",
    "::10.0.0.1, PRIVATE",
    "64:ff9b::10.0.0.1, PRIVATE",
    "64:ff9b::8.8.8.8, PUBLIC",
    "2002:0a00:0001::1, PRIVATE",
    "2001:0:1:2::3, PRIVATE",
    "2001:db8::1, PRIVATE",
    "203.0.113.9, PRIVATE",
    "64:ff9b:1::10.0.0.1, PRIVATE",
    "::ffff:0:10.0.0.1, PRIVATE",
    "::ffff:0:8.8.8.8, PUBLIC",
    "2606:4700::5efe:192.168.0.1, PRIVATE",
    "2606:4700::200:5efe:10.0.0.1, PRIVATE",
    "fec0::1, PRIVATE",
    "100::1, PRIVATE",
    "4000::1, PRIVATE",
    "169.254.169.254, METADATA",
    "169.254.170.2, METADATA",
    "fe80::1, METADATA",
    "fd00:ec2::254, METADATA",
    "100.100.100.200, METADATA",
    "168.63.129.16, METADATA",
    "::ffff:169.254.169.254, METADATA",
    "64:ff9b::169.254.169.254, METADATA",
    "2002:a9fe:a9fe::1, METADATA"
  })
  void everyFormOfAnAddressIsSeenThrough(String address, AddressKind kind)
      throws UnknownHostException {
    assertThat(AddressKind.of(InetAddress.getByName(address))).isEqualTo(kind);
  }
}
