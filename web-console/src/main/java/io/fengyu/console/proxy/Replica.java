package io.fengyu.console.proxy;

import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
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

  /** A request to it. */
  RequestOptions request(HttpMethod method, String uri, MultiMap headers) {
    return new RequestOptions()
        .setServer(server)
        .setHost(host)
        .setPort(port)
        .setSsl(tls)
        .setMethod(method)
        .setURI(uri)
        .setHeaders(MultiMap.caseInsensitiveMultiMap().addAll(headers))
        .setFollowRedirects(false);
  }
}
