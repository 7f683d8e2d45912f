package io.fengyu.agent.mcp;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** The table of servers, as discovery claims them and notes what it found. */
@ApplicationScoped
class DiscoveryStore {

  // Index mcp_server_due. A claim is a new due time: when the replica that took it dies, the server
  // is due again. SKIP LOCKED: replicas that look at once take different ones.
  private static final String CLAIM =
      """
      UPDATE agent.mcp_server
         SET due_at = now() + interval '11 minutes'
       WHERE id IN (SELECT id FROM agent.mcp_server
                     WHERE enabled AND due_at <= now()
                     ORDER BY due_at
                     LIMIT $1
                       FOR UPDATE SKIP LOCKED)
      RETURNING *""";

  // What was found under settings that somebody changed meanwhile is dropped; so is what somebody
  // accepted: the next discovery compares again.
  private static final String FOUND =
      """
      UPDATE agent.mcp_server
         SET status = 'connected', error = NULL, failures = 0, offered = $4, accepted = $5,
             tools_rev = tools_rev + CASE WHEN offered = $4 AND accepted = $5 THEN 0 ELSE 1 END,
             discovered_at = coalesce(discovered_at, now()),
             sealed = coalesce($6, sealed),
             due_at = now() + $7 * interval '1 millisecond'
       WHERE id = $1 AND settings_rev = $2 AND tools_rev = $3""";

  private static final String FAILED =
      """
      UPDATE agent.mcp_server
         SET status = 'error', error = $3, failures = failures + 1,
             due_at = now() + least($4 * power(2, least(failures, 20)), $5)
                              * interval '1 millisecond'
       WHERE id = $1 AND settings_rev = $2""";

  private static final String SOON =
      "UPDATE agent.mcp_server SET due_at = least(due_at, now()) WHERE id = $1 AND enabled";

  private final Pool pg;
  private final ObjectMapper json;
  private final ServerStore servers;
  private final McpConfig config;

  DiscoveryStore(Pool pg, ObjectMapper json, ServerStore servers, McpConfig config) {
    this.pg = pg;
    this.json = json;
    this.servers = servers;
    this.config = config;
  }

  /** Takes servers that are due; nobody else takes them for a while. */
  Uni<List<McpServer>> claim(int most) {
    return pg.preparedQuery(CLAIM)
        .execute(Tuple.of(most))
        .map(rows -> StreamSupport.stream(rows.spliterator(), false).map(servers::server).toList());
  }

  /**
   * Notes what a server offers.
   *
   * @param resealed its secrets under the current key; null to leave them
   */
  Uni<Void> found(McpServer server, ToolSet offered, ToolSet accepted, @Nullable String resealed) {
    return pg.preparedQuery(FOUND)
        .execute(
            Tuple.tuple()
                .addUUID(server.id())
                .addInteger(server.settingsRevision())
                .addInteger(server.toolsRevision())
                .addString(offered.text(json))
                .addString(accepted.text(json))
                .addString(resealed)
                .addDouble(millis(config.lastRetry())))
        .replaceWithVoid();
  }

  Uni<Void> failed(McpServer server, String error) {
    return pg.preparedQuery(FAILED)
        .execute(
            Tuple.of(
                server.id(),
                server.settingsRevision(),
                error,
                millis(config.firstRetry()),
                millis(config.lastRetry())))
        .replaceWithVoid();
  }

  /** Has it discovered at the next look. */
  Uni<Void> soon(UUID server) {
    return pg.preparedQuery(SOON).execute(Tuple.of(server)).replaceWithVoid();
  }

  private static double millis(Duration time) {
    return time.toMillis();
  }
}
