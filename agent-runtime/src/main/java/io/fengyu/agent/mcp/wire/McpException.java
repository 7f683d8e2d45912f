package io.fengyu.agent.mcp.wire;

/** A conversation with a server that went wrong, in words for the people who use the server. */
public final class McpException extends Exception {

  private static final long serialVersionUID = 1L;

  /** What is known about the request. */
  public enum Kind {
    /** The server looked at it and said no. */
    REFUSED,
    /** Nothing of it arrived. */
    UNREACHABLE,
    /** It was sent, and no usable answer came: it may have been carried out. */
    LOST
  }

  private final Kind kind;

  private McpException(Kind kind, String message) {
    super(message, null, false, false);
    this.kind = kind;
  }

  static McpException refused(String message) {
    return new McpException(Kind.REFUSED, message);
  }

  /** Nothing was sent. */
  public static McpException unreachable(String message) {
    return new McpException(Kind.UNREACHABLE, message);
  }

  static McpException lost(String message) {
    return new McpException(Kind.LOST, message);
  }

  static McpException late() {
    return lost("The server did not answer in time");
  }

  /** What is known about the request. */
  public Kind kind() {
    return kind;
  }

  /** Its message; never null. */
  public String text() {
    return String.valueOf(getMessage());
  }
}
