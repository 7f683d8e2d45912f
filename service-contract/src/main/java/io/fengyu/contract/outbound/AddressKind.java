package io.fengyu.contract.outbound;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Set;

/** What stands behind an address, as far as the address itself tells. */
public enum AddressKind {
  /** Reachable by anybody. */
  PUBLIC,
  /** Of this machine or a private network, or of no use as a target at all. */
  PRIVATE,
  /** Link-local, or where clouds hand out credentials; never to be called for anybody. */
  METADATA;

  private static final Set<String> CLOUD_SERVICES =
      Set.of("100.100.100.200", "168.63.129.16", "192.0.0.192");

  private static final byte[] NAT64 = {0, 0x64, (byte) 0xff, (byte) 0x9b, 0, 0, 0, 0, 0, 0, 0, 0};
  private static final byte[] TRANSLATED = {0, 0, 0, 0, 0, 0, 0, 0, (byte) 0xff, (byte) 0xff, 0, 0};
  private static final byte[] BOOKS = {0x20, 0x01, 0x0d, (byte) 0xb8};
  private static final byte[] ISATAP = {0, 0, 0x5e, (byte) 0xfe};
  private static final byte[] AWS_IPV6 = {(byte) 0xfd, 0, 0x0e, (byte) 0xc2};
  private static final byte[] TEREDO = {0x20, 0x01, 0, 0};

  /**
   * Looks through all forms of an address that carry one of IPv4: mapped, compatible, translated,
   * NAT64, 6to4, ISATAP.
   */
  public static AddressKind of(InetAddress address) {
    return address instanceof Inet4Address v4 ? ofV4(v4) : ofV6(address);
  }

  private static AddressKind ofV4(Inet4Address address) {
    if (address.isLinkLocalAddress() || CLOUD_SERVICES.contains(address.getHostAddress())) {
      return METADATA;
    }
    var bytes = address.getAddress();
    var first = bytes[0] & 0xff;
    var second = bytes[1] & 0xff;
    var reserved =
        address.isLoopbackAddress()
            || address.isSiteLocalAddress()
            || first == 0
            || first >= 224
            || (first == 100 && (second & 0xc0) == 64)
            || (first == 192 && second == 0 && bytes[2] == 0)
            || (first == 198 && (second & 0xfe) == 18)
            || documentation(first, second, bytes[2] & 0xff);
    return reserved ? PRIVATE : PUBLIC;
  }

  // Blocks that stand in books, and the relay that nobody runs any more.
  private static boolean documentation(int first, int second, int third) {
    return (first == 192 && second == 0 && third == 2)
        || (first == 192 && second == 88 && third == 99)
        || (first == 198 && second == 51 && third == 100)
        || (first == 203 && second == 0 && third == 113);
  }

  private static AddressKind ofV6(InetAddress address) {
    var bytes = address.getAddress();
    if (address.isLinkLocalAddress() || startsWith(bytes, AWS_IPV6)) {
      return METADATA;
    }
    if (address.isLoopbackAddress() || address.isAnyLocalAddress()) {
      return PRIVATE;
    }
    if (startsWith(bytes, NAT64)) {
      return embedded(bytes, 12);
    }
    if (bytes[0] == 0x20 && bytes[1] == 0x02) {
      return embedded(bytes, 2);
    }
    if (zero(bytes, 10) || startsWith(bytes, TRANSLATED)) {
      return embedded(bytes, 12);
    }
    // What is given out to the world begins with the bits 001.
    if ((bytes[0] & 0xe0) != 0x20 || startsWith(bytes, TEREDO) || startsWith(bytes, BOOKS)) {
      return PRIVATE;
    }
    return isatap(bytes) ? embedded(bytes, 12) : PUBLIC;
  }

  private static boolean isatap(byte[] bytes) {
    return (bytes[8] & 0xfd) == 0 && Arrays.equals(bytes, 9, 12, ISATAP, 1, 4);
  }

  private static AddressKind embedded(byte[] bytes, int offset) {
    try {
      var inner = InetAddress.getByAddress(Arrays.copyOfRange(bytes, offset, offset + 4));
      return of(inner);
    } catch (UnknownHostException impossible) {
      throw new IllegalStateException("Four bytes are an address", impossible);
    }
  }

  private static boolean startsWith(byte[] bytes, byte[] prefix) {
    return Arrays.equals(bytes, 0, prefix.length, prefix, 0, prefix.length);
  }

  private static boolean zero(byte[] bytes, int count) {
    for (var at = 0; at < count; at++) {
      if (bytes[at] != 0) {
        return false;
      }
    }
    return true;
  }
}
