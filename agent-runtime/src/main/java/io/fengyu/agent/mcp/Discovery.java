package io.fengyu.agent.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.mcp.wire.McpException;
import io.fengyu.contract.db.Migrations;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Asks servers for their tools, each on a connection of its own. One replica does it for all: what
 * it finds is in the table.
 */
@ApplicationScoped
class Discovery {

  private static final Logger LOG = Logger.getLogger(Discovery.class);
  private static final int AT_ONCE = 8;
  private static final int LONGEST_ERROR = 500;
  private static final int MOST_TEXT = 4 * 1024 * 1024;
  private static final Duration STORE_ANSWERS_WITHIN = Duration.ofSeconds(5);

  private final DiscoveryStore store;
  private final McpConnections connections;
  private final SecretBox secrets;
  private final McpConfig config;
  private final Migrations migrations;
  private final Vertx vertx;
  private final Semaphore free = new Semaphore(AT_ONCE);
  private final AtomicBoolean looking = new AtomicBoolean();
  private volatile boolean stopping;

  Discovery(
      DiscoveryStore store,
      McpConnections connections,
      SecretBox secrets,
      McpConfig config,
      Migrations migrations,
      Vertx vertx) {
    this.store = store;
    this.connections = connections;
    this.secrets = secrets;
    this.config = config;
    this.migrations = migrations;
    this.vertx = vertx;
  }

  /**
   * What came of an attempt.
   *
   * @param tools null when it failed
   * @param error null when it did not
   */
  record Outcome(@Nullable ToolSet tools, @Nullable String error) {}

  void start(@Observes StartupEvent started) {
    vertx.setPeriodic(config.rhythm().toMillis(), tick -> look());
  }

  void stop(@Observes ShutdownEvent stopped) {
    stopping = true;
  }

  /** Begins what is due. Returns at once. */
  void look() {
    int most = free.availablePermits();
    if (stopping || most == 0 || !migrations.complete() || !looking.compareAndSet(false, true)) {
      return;
    }
    store
        .claim(most)
        .onTermination()
        .invoke(() -> looking.set(false))
        .subscribe()
        .with(this::begin, failure -> LOG.debugf("Servers are looked for later: %s", failure));
  }

  private void begin(List<McpServer> servers) {
    for (var server : servers) {
      free.acquireUninterruptibly();
      Thread.ofVirtual()
          .name("mcp-discovery")
          .start(
              () -> {
                try {
                  discover(server);
                } catch (RuntimeException failure) {
                  LOG.warnf("Tools of a server could not be noted: %s", failure.getMessage());
                } finally {
                  free.release();
                }
              });
    }
  }

  /** Asks a server and notes what it said, on a thread that may wait. */
  Outcome discover(McpServer server) {
    var outcome = ask(server);
    note(server, outcome).await().atMost(STORE_ANSWERS_WITHIN);
    return outcome;
  }

  private Uni<Void> note(McpServer server, Outcome outcome) {
    var tools = outcome.tools();
    return tools == null
        ? store.failed(server, String.valueOf(outcome.error()))
        : store.found(server, tools, accepted(server, tools), resealed(server));
  }

  /** What a server says first is taken as it is; what it says later has to be accepted. */
  private static ToolSet accepted(McpServer server, ToolSet tools) {
    return server.discoveredAt() == null ? tools : server.accepted();
  }

  private @Nullable String resealed(McpServer server) {
    return secrets.outdated(server.sealed())
        ? secrets
            .open(server.id(), server.settings(), server.sealed())
            .map(open -> secrets.seal(server.id(), server.settings(), open))
            .orElse(null)
        : null;
  }

  private Outcome ask(McpServer server) {
    var within = Duration.ofSeconds(server.settings().requestTimeoutSeconds());
    try (var session =
        connections.open(server, server.id().toString(), identity(server), () -> {})) {
      var declared = session.tools(within);
      declared.forEach(tool -> connections.masked(server, tool));
      return offered(declared);
    } catch (McpException e) {
      return failed(connections.masked(server, e.text()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return failed("The attempt was interrupted");
    }
  }

  private static Map<String, String> identity(McpServer server) {
    var owner = server.owner();
    return owner == null ? Map.of() : Map.of("X-User-ID", owner);
  }

  private static Outcome offered(List<ObjectNode> declared) {
    long size = declared.stream().mapToLong(tool -> tool.toString().length()).sum();
    return size > MOST_TEXT
        ? failed("The server declares tools in more than " + MOST_TEXT + " characters")
        : new Outcome(ToolSet.of(declared), null);
  }

  private static Outcome failed(String error) {
    var cut = error.length() <= LONGEST_ERROR ? error : error.substring(0, LONGEST_ERROR) + "…";
    return new Outcome(null, cut);
  }
}
