package io.fengyu.agent.mcp;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A server as the table has it.
 *
 * @param owner null for one of the whole deployment
 * @param sealed encrypted secrets; null for none
 * @param settingsRevision counts changes by people
 * @param toolsRevision counts changes of what it offers and of what was accepted
 * @param discoveredAt null until it told its tools for the first time
 * @param error why the last attempt failed; null otherwise
 */
record McpServer(
    UUID id,
    @Nullable String owner,
    String name,
    String prefix,
    ServerSettings settings,
    @Nullable String sealed,
    boolean enabled,
    int settingsRevision,
    int toolsRevision,
    ToolSet accepted,
    ToolSet offered,
    @Nullable Instant discoveredAt,
    Status status,
    @Nullable String error,
    int failures,
    Instant dueAt) {

  /** What is known of it. */
  enum Status {
    CONNECTING,
    CONNECTED,
    ERROR;

    /** Lower-case word of the wire and of the table. */
    @com.fasterxml.jackson.annotation.JsonValue
    String wire() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }

  /** True when its owner's word decides about it. */
  boolean belongsTo(String caller) {
    return caller.equals(owner);
  }
}
