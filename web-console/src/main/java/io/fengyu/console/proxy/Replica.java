package io.fengyu.console.proxy;

import io.vertx.core.net.SocketAddress;

/**
 * One process of a service.
 *
 * @param server where to connect
 * @param host the name it expects as {@code Host}
 */
record Replica(SocketAddress server, String host, int port, boolean tls) {

  String authority() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }
}
