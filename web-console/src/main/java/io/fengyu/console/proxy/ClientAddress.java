package io.fengyu.console.proxy;

import io.vertx.core.http.HttpServerRequest;
import jakarta.enterprise.context.ApplicationScoped;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;

/** Tells where a request came from; forwarded headers count only behind a trusted proxy. */
@ApplicationScoped
class ClientAddress {

  private final List<Cidr> trusted;

  ClientAddress(EdgeConfig config) {
    trusted = config.trustedProxies().orElse(List.of()).stream().map(Cidr::parse).toList();
  }

  /** The TCP peer or, while that is a trusted proxy, the next address to the left. */
  String of(HttpServerRequest request) {
    var address = request.remoteAddress().hostAddress();
    var chain = request.headers().getAll("X-Forwarded-For");
    var hops = chain.stream().flatMap(line -> Arrays.stream(line.split(","))).toList();
    for (var i = hops.size() - 1; i >= 0 && trusts(address); i--) {
      var hop = hops.get(i).strip();
      if (!Cidr.isAddress(hop)) {
        return address;
      }
      address = hop;
    }
    return address;
  }

  /** The scheme the client used; a trusted proxy's word is taken for it. */
  String scheme(HttpServerRequest request) {
    var said = request.getHeader("X-Forwarded-Proto");
    if (said != null && said.matches("https?") && trusts(request.remoteAddress().hostAddress())) {
      return said;
    }
    return request.isSSL() ? "https" : "http";
  }

  private boolean trusts(String address) {
    return trusted.stream().anyMatch(range -> range.contains(address));
  }

  /** A range of addresses. */
  static final class Cidr {

    private final byte[] network;
    private final int bits;

    private Cidr(byte[] network, int bits) {
      this.network = network;
      this.bits = bits;
    }

    static Cidr parse(String text) {
      var parts = text.strip().split("/", 2);
      if (!isAddress(parts[0])) {
        throw new IllegalArgumentException("TRUSTED_PROXIES: not an address: '" + text + "'");
      }
      var network = bytes(parts[0]);
      try {
        var bits = parts.length > 1 ? Integer.parseInt(parts[1]) : network.length * 8;
        if (bits < 0 || bits > network.length * 8) {
          throw new NumberFormatException();
        }
        return new Cidr(network, bits);
      } catch (NumberFormatException bad) {
        throw new IllegalArgumentException("TRUSTED_PROXIES: not a range: '" + text + "'", bad);
      }
    }

    /** True for an address literal; names are never looked up. */
    static boolean isAddress(String text) {
      return text.matches("[0-9]{1,3}(\\.[0-9]{1,3}){3}|[0-9a-fA-F.]*:[0-9a-fA-F:.]*");
    }

    boolean contains(String address) {
      if (!isAddress(address)) {
        return false;
      }
      var other = bytes(address);
      if (other.length != network.length) {
        return false;
      }
      for (var bit = 0; bit < bits; bit++) {
        var mask = 0x80 >> (bit % 8);
        if ((other[bit / 8] & mask) != (network[bit / 8] & mask)) {
          return false;
        }
      }
      return true;
    }

    private static byte[] bytes(String literal) {
      try {
        return InetAddress.getByName(literal).getAddress();
      } catch (UnknownHostException malformed) {
        throw new IllegalArgumentException("Not an address: '" + literal + "'", malformed);
      }
    }
  }
}
