package io.fengyu.agent.mcp;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fengyu.agent.mcp.McpServer.Status;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** The table of servers, as people change it. */
@ApplicationScoped
class ServerStore {

  // Index mcp_server_owner_prefix, and mcp_server_deployment_prefix for the others.
  private static final String LIST =
      """
      SELECT * FROM agent.mcp_server WHERE owner = $1
      UNION ALL
      SELECT * FROM agent.mcp_server WHERE owner IS NULL
      ORDER BY created_at, id""";

  private static final String FIND = "SELECT * FROM agent.mcp_server WHERE id = $1";

  private static final String FIND_ALL = "SELECT * FROM agent.mcp_server WHERE id = ANY($1)";

  // The same two indexes. Servers of the deployment come first: nobody takes a name from them.
  private static final String CATALOG =
      """
      SELECT id, settings_rev, tools_rev, 0 AS rank, created_at
        FROM agent.mcp_server WHERE owner IS NULL AND enabled
      UNION ALL
      SELECT id, settings_rev, tools_rev, 1 AS rank, created_at
        FROM agent.mcp_server WHERE owner = $1 AND enabled
      ORDER BY rank, created_at, id""";

  // Held to the end of the transaction: two servers that are named at once see each other.
  private static final String HOLD = "SELECT pg_advisory_xact_lock(7218402)";

  // What another server of the catalog has, or, for one of the deployment, anybody's.
  private static final String TAKEN =
      """
      SELECT prefix, owner IS NOT DISTINCT FROM $1::text AS same FROM agent.mcp_server
       WHERE id <> $2 AND ($1::text IS NULL OR owner IS NULL OR owner = $1)""";

  private static final String CREATE =
      """
      INSERT INTO agent.mcp_server (id, owner, name, prefix, settings, sealed, enabled)
      VALUES ($1, $2, $3, $4, $5, $6, $7)
      RETURNING *""";

  // Whatever was known of another address or of another way to speak is not known any more.
  private static final String CHANGE =
      """
      UPDATE agent.mcp_server
         SET name = $3, prefix = $4, settings = $5, sealed = $6, enabled = $7,
             settings_rev = settings_rev + 1, status = 'connecting', error = NULL, failures = 0,
             due_at = now()
       WHERE id = $1 AND settings_rev = $2
      RETURNING *""";

  private static final String DELETE = "DELETE FROM agent.mcp_server WHERE id = $1";

  private static final String ACCEPT =
      """
      UPDATE agent.mcp_server SET accepted = $3, tools_rev = tools_rev + 1
       WHERE id = $1 AND tools_rev = $2
      RETURNING *""";

  private final Pool pg;
  private final ObjectMapper json;

  ServerStore(Pool pg, ObjectMapper json) {
    this.pg = pg;
    this.json = json;
  }

  /** What a server is in the catalog: the same revisions, the same tools. */
  record Version(UUID id, int settingsRevision, int toolsRevision) {}

  /** What a person decided. */
  record Written(
      UUID id,
      @Nullable String owner,
      String name,
      ServerSettings settings,
      @Nullable String sealed,
      boolean enabled) {}

  /** Those of the owner and those of the whole deployment, oldest first. */
  Uni<List<McpServer>> list(String owner) {
    return pg.preparedQuery(LIST).execute(Tuple.of(owner)).map(this::servers);
  }

  /** Emits null when there is none. */
  Uni<@Nullable McpServer> find(UUID id) {
    return pg.preparedQuery(FIND).execute(Tuple.of(id)).map(this::first);
  }

  Uni<List<McpServer>> findAll(List<UUID> ids) {
    return pg.preparedQuery(FIND_ALL)
        .execute(Tuple.tuple().addArrayOfUUID(ids.toArray(UUID[]::new)))
        .map(this::servers);
  }

  /** The enabled servers of the owner's catalog, in its order. */
  Uni<List<Version>> catalog(String owner) {
    return pg.preparedQuery(CATALOG)
        .execute(Tuple.of(owner))
        .map(rows -> StreamSupport.stream(rows.spliterator(), false).map(this::version).toList());
  }

  private Version version(Row row) {
    return new Version(
        row.getUUID("id"), row.getInteger("settings_rev"), row.getInteger("tools_rev"));
  }

  /** Stores a new server; fails when its owner has {@code most} of them. */
  Uni<McpServer> create(Written server, int most) {
    return pg.withTransaction(
        connection ->
            taken(connection, server)
                .map(others -> Prefixes.free(server.name(), checked(others, most)))
                .chain(prefix -> insert(connection, server, prefix)));
  }

  private static Set<String> checked(Others others, int most) {
    if (others.same() >= most) {
      throw McpProblems.tooMany(most);
    }
    return others.prefixes();
  }

  private Uni<McpServer> insert(SqlConnection connection, Written server, String prefix) {
    return connection
        .preparedQuery(CREATE)
        .execute(
            Tuple.tuple(
                Arrays.asList(
                    server.id(),
                    server.owner(),
                    server.name(),
                    prefix,
                    text(server.settings()),
                    server.sealed(),
                    server.enabled())))
        .map(rows -> server(rows.iterator().next()));
  }

  /** Emits null, and changes nothing, when somebody changed it since. */
  Uni<@Nullable McpServer> change(Written server, McpServer before) {
    return pg.withTransaction(
        connection ->
            prefix(connection, server, before)
                .chain(prefix -> update(connection, server, before.settingsRevision(), prefix)));
  }

  private Uni<String> prefix(SqlConnection connection, Written server, McpServer before) {
    return server.name().equals(before.name())
        ? Uni.createFrom().item(before.prefix())
        : taken(connection, server).map(others -> Prefixes.free(server.name(), others.prefixes()));
  }

  private Uni<@Nullable McpServer> update(
      SqlConnection connection, Written server, int seen, String prefix) {
    return connection
        .preparedQuery(CHANGE)
        .execute(
            Tuple.tuple(
                Arrays.asList(
                    server.id(),
                    seen,
                    server.name(),
                    prefix,
                    text(server.settings()),
                    server.sealed(),
                    server.enabled())))
        .map(this::first);
  }

  private record Others(Set<String> prefixes, int same) {}

  private static Uni<Others> taken(SqlConnection connection, Written server) {
    return connection
        .query(HOLD)
        .execute()
        .chain(
            held -> connection.preparedQuery(TAKEN).execute(Tuple.of(server.owner(), server.id())))
        .map(ServerStore::others);
  }

  private static Others others(RowSet<Row> rows) {
    var prefixes = new HashSet<String>();
    int same = 0;
    for (var row : rows) {
      prefixes.add(row.getString("prefix"));
      same += row.getBoolean("same") ? 1 : 0;
    }
    return new Others(prefixes, same);
  }

  Uni<Void> delete(UUID id) {
    return pg.preparedQuery(DELETE).execute(Tuple.of(id)).replaceWithVoid();
  }

  /** Emits null, and changes nothing, when the tools changed since. */
  Uni<@Nullable McpServer> accept(UUID id, int seen, ToolSet accepted) {
    return pg.preparedQuery(ACCEPT)
        .execute(Tuple.of(id, seen, accepted.text(json)))
        .map(this::first);
  }

  private List<McpServer> servers(RowSet<Row> rows) {
    return StreamSupport.stream(rows.spliterator(), false).map(this::server).toList();
  }

  private @Nullable McpServer first(RowSet<Row> rows) {
    var row = rows.iterator();
    return row.hasNext() ? server(row.next()) : null;
  }

  McpServer server(Row row) {
    var discovered = row.getOffsetDateTime("discovered_at");
    return new McpServer(
        row.getUUID("id"),
        row.getString("owner"),
        row.getString("name"),
        row.getString("prefix"),
        settings(row.getString("settings")),
        row.getString("sealed"),
        row.getBoolean("enabled"),
        row.getInteger("settings_rev"),
        row.getInteger("tools_rev"),
        ToolSet.read(json, row.getString("accepted")),
        ToolSet.read(json, row.getString("offered")),
        discovered == null ? null : discovered.toInstant(),
        Status.valueOf(row.getString("status").toUpperCase(Locale.ROOT)),
        row.getString("error"),
        row.getInteger("failures"),
        row.get(OffsetDateTime.class, "due_at").toInstant());
  }

  private String text(ServerSettings settings) {
    try {
      return json.writeValueAsString(settings);
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException("Settings are always JSON", impossible);
    }
  }

  private ServerSettings settings(String text) {
    try {
      return json.readValue(text, ServerSettings.class);
    } catch (JsonProcessingException damaged) {
      throw new IllegalStateException("The table holds settings", damaged);
    }
  }
}
