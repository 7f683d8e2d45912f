package io.fengyu.contract.net;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A set of address ranges, such as {@code 10.0.0.0/8, ::1/128}. */
public final class Cidrs {

  private static final byte[] MAPPED = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, (byte) 0xff, (byte) 0xff};

  private static final class Range {
    final byte[] network;
    final int bits;

    Range(byte[] network, int bits) {
      this.network = network;
      this.bits = bits;
    }
  }

  private final List<Range> ranges;

  private Cidrs(List<Range> ranges) {
    this.ranges = ranges;
  }

  /**
   * Reads a comma-separated list; an address without a length stands for itself.
   *
   * @param name of the setting, for the message
   */
  public static Cidrs parse(String name, @Nullable String list) {
    var ranges = new ArrayList<Range>();
    for (var item : list == null ? new String[0] : list.split(",", -1)) {
      if (!item.isBlank()) {
        ranges.add(range(name, item.strip()));
      }
    }
    return new Cidrs(List.copyOf(ranges));
  }

  /** True when an address literal lies in one of the ranges; false for anything else. */
  public boolean contain(@Nullable String address) {
    var bytes = address == null ? null : literal(address);
    return bytes != null && ranges.stream().anyMatch(range -> matches(range, bytes));
  }

  /** True for {@code 127.0.0.0/8}, {@code ::1} and the IPv4-mapped form. */
  public static boolean loopback(@Nullable String address) {
    var bytes = address == null ? null : literal(address);
    if (bytes == null) {
      return false;
    }
    return bytes.length == 4 ? bytes[0] == 127 : isOne(bytes);
  }

  private static boolean isOne(byte[] bytes) {
    for (var i = 0; i < bytes.length - 1; i++) {
      if (bytes[i] != 0) {
        return false;
      }
    }
    return bytes[bytes.length - 1] == 1;
  }

  private static boolean matches(Range range, byte[] address) {
    if (range.network.length != address.length) {
      return false;
    }
    for (var bit = 0; bit < range.bits; bit++) {
      var mask = 0x80 >> (bit % 8);
      if (((range.network[bit / 8] ^ address[bit / 8]) & mask) != 0) {
        return false;
      }
    }
    return true;
  }

  private static Range range(String name, String item) {
    var slash = item.indexOf('/');
    var network = literal(slash < 0 ? item : item.substring(0, slash));
    if (network == null) {
      throw new IllegalArgumentException(name + " holds no address range: " + item);
    }
    var longest = network.length * 8;
    var bits = slash < 0 ? longest : length(item.substring(slash + 1));
    if (bits < 0 || bits > longest) {
      throw new IllegalArgumentException(name + " holds no address range: " + item);
    }
    return new Range(network, bits);
  }

  private static int length(String digits) {
    return digits.matches("\\d{1,3}") ? Integer.parseInt(digits) : -1;
  }

  // Literals only: a name would ask the DNS. IPv4-mapped addresses count as IPv4.
  private static byte @Nullable [] literal(String address) {
    var plain = withoutZone(address);
    if (!plain.matches("\\d{1,3}(\\.\\d{1,3}){3}|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*")) {
      return null;
    }
    try {
      return unmapped(InetAddress.getByName(plain).getAddress());
    } catch (UnknownHostException malformed) {
      return null;
    }
  }

  private static String withoutZone(String address) {
    var zone = address.indexOf('%');
    var plain = zone < 0 ? address : address.substring(0, zone);
    return plain.startsWith("[") && plain.endsWith("]")
        ? plain.substring(1, plain.length() - 1)
        : plain;
  }

  private static byte[] unmapped(byte[] address) {
    if (address.length == 16
        && java.util.Arrays.equals(address, 0, MAPPED.length, MAPPED, 0, MAPPED.length)) {
      return java.util.Arrays.copyOfRange(address, MAPPED.length, 16);
    }
    return address;
  }
}
