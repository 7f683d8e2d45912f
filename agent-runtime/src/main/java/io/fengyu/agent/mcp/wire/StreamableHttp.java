package io.fengyu.agent.mcp.wire;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.mcp.wire.HttpLink.Call;
import io.vertx.core.http.HttpMethod;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One address for everything: each message is a POST, answered by JSON or by a stream of events. A
 * stream that ends early is gone on with where the server allows it; nothing is sent twice.
 */
final class StreamableHttp extends HttpTransport {

  private static final Duration RETRY = Duration.ofSeconds(1);
  private static final int MOST_RESUMES = 3;

  private @Nullable String session;

  StreamableHttp(HttpLink link, HttpTarget target, Memory.Share memory) {
    super(link, target, memory);
  }

  @Override
  public void connect(Deadline deadline) {
    // Made by the first message.
  }

  @Override
  public ObjectNode ask(long id, ObjectNode request, Deadline deadline)
      throws McpException, InterruptedException {
    var reply = link.send(post(request), deadline);
    try {
      HttpStatus.check(reply, deadline);
      rememberSession(reply);
      return reply.mediaType().equals("text/event-stream")
          ? fromStream(id, reply, deadline)
          : fromBody(id, reply, deadline);
    } finally {
      link.settle(reply);
    }
  }

  private void rememberSession(HttpReply reply) {
    var given = reply.header("Mcp-Session-Id");
    if (given != null && session == null) {
      session = given;
    }
  }

  private ObjectNode fromBody(long id, HttpReply reply, Deadline deadline)
      throws McpException, InterruptedException {
    var message = Messages.read(reply.whole(memory, deadline));
    var answer = message == null ? null : inbox.find(id, message);
    if (answer == null) {
      throw McpException.lost("The server answered with something that is no answer");
    }
    return answer;
  }

  private ObjectNode fromStream(long id, HttpReply first, Deadline deadline)
      throws McpException, InterruptedException {
    var reply = first;
    String cursor = null;
    var pause = RETRY;
    for (int resumes = 0; ; resumes++) {
      var events = new Events(reply, memory);
      var answer = inbox.answerTo(id, new EventMessages(events, deadline).orEnd());
      if (reply != first) {
        link.settle(reply);
      }
      if (answer != null) {
        return answer;
      }
      cursor = events.lastId() == null ? cursor : events.lastId();
      pause = events.retry() == null ? pause : events.retry();
      if (cursor == null || resumes == MOST_RESUMES) {
        throw HttpLink.broken();
      }
      deadline.sleep(pause);
      reply = resumed(cursor, deadline);
    }
  }

  private HttpReply resumed(String cursor, Deadline deadline)
      throws McpException, InterruptedException {
    var headers = headers("text/event-stream");
    headers.put("Last-Event-ID", cursor);
    try {
      var reply = link.send(new Call(HttpMethod.GET, target.url(), headers, null), deadline);
      HttpStatus.check(reply, deadline);
      return reply;
    } catch (McpException e) {
      throw HttpLink.broken();
    }
  }

  @Override
  Call post(ObjectNode message) {
    return new Call(
        HttpMethod.POST,
        target.url(),
        headers("application/json, text/event-stream"),
        Messages.bytes(message));
  }

  @Override
  Map<String, String> headers(String accept) {
    var headers = super.headers(accept);
    if (session != null) {
      headers.put("Mcp-Session-Id", session);
    }
    return headers;
  }

  @Override
  public void close(@Nullable ObjectNode lastWord, Runnable gone) {
    memory.free();
    var last = new ArrayList<>(farewell(lastWord));
    if (session != null) {
      last.add(new Call(HttpMethod.DELETE, target.url(), headers("application/json"), null));
    }
    link.close(last, gone);
  }
}
