package io.fengyu.agent.mcp.wire;

import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;

/**
 * A server that is spoken to over HTTP.
 *
 * @param url where messages go, or, for the older protocol, where the stream of events is
 * @param events true for the older protocol: one stream of events beside single messages
 * @param addresses checked ones; nothing else is connected to
 * @param headers sent with every request
 */
public record HttpTarget(
    URI url, boolean events, List<InetSocketAddress> addresses, Map<String, String> headers) {

  /** Headers are secrets. */
  @Override
  public String toString() {
    return "HttpTarget[" + url.getHost() + "]";
  }
}
