package io.fengyu.agent.mcp.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/**
 * Takes what a server says: keeps the answer that is waited for, answers what the server asks, and
 * remembers that it has other tools now.
 */
final class Inbox {

  private static final int METHOD_NOT_FOUND = -32601;
  private static final int MOST_MESSAGES = 100_000;

  /** Messages as they come; null when there are no more. */
  interface Source {
    @Nullable JsonNode next() throws McpException, InterruptedException;
  }

  /** Sends an answer to something the server asked. */
  interface Replies {
    void send(ObjectNode message) throws McpException, InterruptedException;
  }

  private final Replies replies;
  private boolean toolsChanged;

  Inbox(Replies replies) {
    this.replies = replies;
  }

  /** True once the server said that it has other tools now. */
  boolean toolsChanged() {
    return toolsChanged;
  }

  /** Reads until the answer to a request comes; null when the messages end first. */
  @Nullable ObjectNode answerTo(long id, Source source) throws McpException, InterruptedException {
    for (int read = 0; read < MOST_MESSAGES; read++) {
      var message = source.next();
      if (message == null) {
        return null;
      }
      var answer = find(id, message);
      if (answer != null) {
        return answer;
      }
    }
    throw McpException.lost("The server talks without end and does not answer");
  }

  /** The answer to a request in one message, or in several that came as an array. */
  @Nullable ObjectNode find(long id, JsonNode message) throws McpException, InterruptedException {
    if (!message.isArray()) {
      return message instanceof ObjectNode one ? take(id, one) : null;
    }
    ObjectNode answer = null;
    for (var one : message) {
      var found = one instanceof ObjectNode object ? take(id, object) : null;
      answer = found == null ? answer : found;
    }
    return answer;
  }

  private @Nullable ObjectNode take(long id, ObjectNode message)
      throws McpException, InterruptedException {
    var method = message.path("method");
    if (!method.isTextual()) {
      return isAnswer(id, message) ? message : null;
    }
    if (message.hasNonNull("id")) {
      replies.send(reply(message));
    } else if (method.textValue().equals("notifications/tools/list_changed")) {
      toolsChanged = true;
    }
    return null;
  }

  private static boolean isAnswer(long id, ObjectNode message) {
    var told = message.path("id");
    var ours =
        told.isIntegralNumber() ? told.longValue() == id : told.asText().equals(Long.toString(id));
    return ours && (message.has("result") || message.has("error"));
  }

  /** A client that offers nothing still tells that it is there. */
  private static ObjectNode reply(ObjectNode question) {
    var reply = Messages.object().put("jsonrpc", "2.0");
    reply.set("id", question.get("id"));
    if (question.path("method").asText().equals("ping")) {
      reply.putObject("result");
    } else {
      reply
          .putObject("error")
          .put("code", METHOD_NOT_FOUND)
          .put("message", "This client does not offer that");
    }
    return reply;
  }
}
