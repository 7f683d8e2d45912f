package io.fengyu.agent.mcp.wire;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/** The messages that a stream of events carries. */
final class EventMessages implements Inbox.Source {

  private final Events events;
  private final Deadline deadline;

  EventMessages(Events events, Deadline deadline) {
    this.events = events;
    this.deadline = deadline;
  }

  @Override
  public @Nullable JsonNode next() throws McpException, InterruptedException {
    while (true) {
      var event = events.next(deadline);
      if (event == null) {
        return null;
      }
      if (event.type().isEmpty() || event.type().equals("message")) {
        return parsed(event.data());
      }
    }
  }

  /** The same, where a connection that breaks off is an end like any other. */
  Inbox.Source orEnd() {
    return () -> {
      try {
        return next();
      } catch (McpException e) {
        if (!HttpLink.isBroken(e)) {
          throw e;
        }
        return null;
      }
    };
  }

  static JsonNode parsed(String data) throws McpException {
    var message = Messages.read(data);
    if (message == null) {
      throw McpException.lost("The server sent an event that is no message");
    }
    return message;
  }
}
