package io.fengyu.contract.net;

import io.vertx.core.http.HttpServerRequest;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** The address of a caller: the TCP peer, or what a trusted proxy says about its own peer. */
@ApplicationScoped
public class ClientAddress {

  private static final String FORWARDED = "X-Forwarded-For";

  private final Cidrs trusted;

  ClientAddress(@ConfigProperty(name = "fengyu.net.trusted-proxies") Optional<String> trusted) {
    this.trusted = Cidrs.parse("TRUSTED_PROXIES", trusted.orElse(""));
  }

  /** An address literal; the text of the header's entry when a trusted proxy sends none. */
  public String of(HttpServerRequest request) {
    var address = peer(request);
    var hops = String.join(",", request.headers().getAll(FORWARDED)).split(",", -1);
    for (var hop = hops.length - 1; hop >= 0 && trusted.contain(address); hop--) {
      if (hops[hop].isBlank()) {
        break;
      }
      address = hops[hop].strip();
    }
    return address;
  }

  /** True when a program on this machine calls without anything in between. */
  public boolean local(HttpServerRequest request) {
    return Cidrs.loopback(peer(request)) && !request.headers().contains(FORWARDED);
  }

  private static String peer(HttpServerRequest request) {
    var peer = request.connection().remoteAddress();
    return peer == null || peer.hostAddress() == null ? "" : peer.hostAddress();
  }
}
