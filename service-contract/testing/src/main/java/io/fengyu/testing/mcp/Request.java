package io.fengyu.testing.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;

/**
 * One request that arrived.
 *
 * @param connection number of the socket it came on, from 1
 * @param verb the method of HTTP
 * @param headers names in lower case
 * @param body missing when there is none
 */
public record Request(
    int connection, String verb, String path, Map<String, String> headers, JsonNode body) {

  /** Method of the protocol; the one of HTTP when the body names none. */
  public String method() {
    return body.path("method").asText(verb);
  }

  /** Value of a header; empty when it is absent. */
  public String header(String name) {
    return headers.getOrDefault(name, "");
  }

  /** What a tool was called with. */
  public JsonNode arguments() {
    return body.path("params").path("arguments");
  }
}
