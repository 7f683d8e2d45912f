package io.fengyu.agent.mcp.wire;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.mcp.wire.HttpLink.Call;
import io.vertx.core.http.HttpMethod;
import java.net.URI;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The older protocol: a stream of events that stays open, whose first event names the address that
 * messages are posted to. All answers come on the stream.
 */
final class LegacySse extends HttpTransport {

  private @Nullable HttpReply stream;
  private @Nullable Events events;
  private @Nullable URI messages;

  LegacySse(HttpLink link, HttpTarget target, Memory.Share memory) {
    super(link, target, memory);
  }

  @Override
  public void connect(Deadline deadline) throws McpException, InterruptedException {
    var opened =
        link.send(
            new Call(HttpMethod.GET, target.url(), headers("text/event-stream"), null), deadline);
    stream = opened;
    HttpStatus.check(opened, deadline);
    if (!opened.mediaType().equals("text/event-stream")) {
      throw McpException.refused("The server answered with something that is no event stream");
    }
    var read = new Events(opened, memory);
    events = read;
    messages = endpoint(read, deadline);
  }

  private URI endpoint(Events read, Deadline deadline) throws McpException, InterruptedException {
    for (var event = read.next(deadline); event != null; event = read.next(deadline)) {
      if (event.type().equals("endpoint")) {
        return sameOrigin(event.data().strip());
      }
    }
    throw HttpLink.broken();
  }

  /** Credentials go to the server that was configured, and the checked addresses are its own. */
  private URI sameOrigin(String told) throws McpException {
    try {
      var url = target.url().resolve(told);
      if (Objects.equals(url.getScheme(), target.url().getScheme())
          && Objects.equals(url.getRawAuthority(), target.url().getRawAuthority())) {
        return url;
      }
    } catch (IllegalArgumentException malformed) {
      throw McpException.refused("The server named an address for messages that is none");
    }
    throw McpException.refused("The server wants messages to be sent to another server");
  }

  @Override
  public ObjectNode ask(long id, ObjectNode request, Deadline deadline)
      throws McpException, InterruptedException {
    tell(request, deadline);
    var answer = inbox.answerTo(id, new EventMessages(Objects.requireNonNull(events), deadline));
    if (answer == null) {
      throw HttpLink.broken();
    }
    return answer;
  }

  @Override
  Call post(ObjectNode message) {
    return new Call(
        HttpMethod.POST,
        Objects.requireNonNull(messages),
        headers("application/json"),
        Messages.bytes(message));
  }

  @Override
  public void close(@Nullable ObjectNode lastWord, Runnable gone) {
    memory.free();
    if (stream != null) {
      stream.discard();
    }
    link.close(farewell(lastWord), gone);
  }
}
