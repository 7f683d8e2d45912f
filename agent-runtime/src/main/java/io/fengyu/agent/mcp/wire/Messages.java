package io.fengyu.agent.mcp.wire;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** JSON-RPC messages as they are written and read. */
final class Messages {

  private static final int DEEPEST = 200;

  private static final ObjectMapper JSON =
      new ObjectMapper(
          JsonFactory.builder()
              .streamReadConstraints(
                  StreamReadConstraints.builder()
                      .maxNestingDepth(DEEPEST)
                      .maxStringLength(Memory.MESSAGE)
                      .build())
              .build());

  private Messages() {}

  static ObjectNode object() {
    return JSON.createObjectNode();
  }

  static ObjectNode request(long id, String method, ObjectNode params) {
    var message = object().put("jsonrpc", "2.0").put("id", id).put("method", method);
    message.set("params", params);
    return message;
  }

  static ObjectNode notification(String method) {
    return object().put("jsonrpc", "2.0").put("method", method);
  }

  static ObjectNode cancelled(long id) {
    var message = notification("notifications/cancelled");
    message.putObject("params").put("requestId", id).put("reason", "The caller has stopped");
    return message;
  }

  static Buffer bytes(ObjectNode message) {
    return Buffer.buffer(message.toString());
  }

  /** Null for what is no JSON, or is nested too deep. */
  static @Nullable JsonNode read(byte[] text) {
    try {
      return JSON.readTree(text);
    } catch (IOException garbage) {
      return null;
    }
  }

  /** Null for what is no JSON, or is nested too deep. */
  static @Nullable JsonNode read(String text) {
    try {
      return JSON.readTree(text);
    } catch (IOException garbage) {
      return null;
    }
  }
}
