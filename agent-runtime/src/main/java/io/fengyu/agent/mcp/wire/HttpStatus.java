package io.fengyu.agent.mcp.wire;

import java.time.Duration;

/** What the status of a response means for the message that was sent. */
final class HttpStatus {

  private static final int LONGEST_REASON = 4096;
  private static final Duration REASON_WITHIN = Duration.ofSeconds(2);

  private HttpStatus() {}

  /** Fails unless the server took the message. */
  static void check(HttpReply reply, Deadline deadline) throws McpException, InterruptedException {
    int status = reply.status();
    if (status >= 200 && status < 300) {
      return;
    }
    var reason = reason(reply, deadline);
    if (status >= 500) {
      throw McpException.lost("The server answered with HTTP " + status + reason);
    }
    throw McpException.refused(
        switch (status) {
          case 401, 403 -> "The server refuses the credentials (HTTP " + status + ")" + reason;
          case 404 -> "The server does not know this address or session (HTTP 404)" + reason;
          case 301, 302, 303, 307, 308 ->
              "The server redirects to another address (HTTP "
                  + status
                  + "), which is not followed";
          default -> "The server refused the request (HTTP " + status + ")" + reason;
        });
  }

  // Some servers explain themselves in a JSON-RPC error; a page of HTML explains nothing.
  private static String reason(HttpReply reply, Deadline deadline) throws InterruptedException {
    if (!reply.mediaType().endsWith("json")) {
      return "";
    }
    var body = Messages.read(reply.excerpt(LONGEST_REASON, deadline.atMost(REASON_WITHIN)));
    var message = body == null ? "" : body.path("error").path("message").asText();
    return message.isBlank() ? "" : ": " + message;
  }
}
