package io.fengyu.agent.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import io.fengyu.agent.mcp.wire.HttpTarget;
import io.fengyu.agent.mcp.wire.McpException;
import io.fengyu.agent.mcp.wire.McpSession;
import io.fengyu.agent.mcp.wire.McpWire;
import io.fengyu.agent.mcp.wire.Program;
import io.fengyu.agent.process.Children;
import io.fengyu.agent.process.CleanEnvironment;
import io.fengyu.agent.tool.Sensitive;
import io.fengyu.contract.outbound.TargetPolicy;
import io.fengyu.contract.outbound.TargetPolicy.TargetRefusedException;
import io.vertx.core.Vertx;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Opens a connection of its own to a server for whoever asks. */
@ApplicationScoped
class McpConnections {

  static final String LOCKED =
      "The stored credentials cannot be read with the key of this server: enter them again";

  // Programs get their places by their arguments; nothing of ours is where they start.
  private static final Path PLACE = Path.of(System.getProperty("java.io.tmpdir"));

  private final McpWire wire;
  private final TargetPolicy targets;
  private final McpConfig config;
  private final SecretBox secrets;
  private final Optional<String> internalSecret;

  McpConnections(
      Vertx vertx,
      Children children,
      TargetPolicy targets,
      McpConfig config,
      SecretBox secrets,
      @ConfigProperty(name = "fengyu.authentication.internal-secret")
          Optional<String> internalSecret) {
    this.wire = new McpWire(vertx, children);
    this.targets = targets;
    this.config = config;
    this.secrets = secrets;
    this.internalSecret = internalSecret;
  }

  /**
   * Connects, on a thread that may wait.
   *
   * @param work what it is for, such as the id of a run
   * @param identity on whose behalf, as headers
   * @param gone called once, when nothing is left of the connection, also of one that failed
   */
  McpSession open(McpServer server, String work, Map<String, String> identity, Runnable gone)
      throws McpException, InterruptedException {
    boolean tried = false;
    try {
      var within = Duration.ofSeconds(server.settings().initTimeoutSeconds());
      if (server.settings().program()) {
        var program = program(server, work);
        tried = true;
        return wire.connect(program, within, gone);
      }
      var target = target(server, identity);
      tried = true;
      return wire.connect(target, within, gone);
    } finally {
      if (!tried) {
        gone.run();
      }
    }
  }

  private HttpTarget target(McpServer server, Map<String, String> identity)
      throws McpException, InterruptedException {
    var settings = server.settings();
    var headers = new LinkedHashMap<>(opened(server).headers());
    headers.putAll(identity);
    if (settings.internal()) {
      internalSecret.ifPresent(secret -> headers.put("X-Internal-Secret", secret));
    }
    try {
      var url = settings.address();
      return new HttpTarget(
          url,
          settings.type() == ServerSettings.Protocol.SSE,
          targets.addresses(url, config.privateAllowed()),
          headers);
    } catch (TargetRefusedException refused) {
      throw McpException.unreachable(String.valueOf(refused.getMessage()));
    }
  }

  private Program program(McpServer server, String work) throws McpException {
    if (!config.commandsAllowed()) {
      throw McpException.unreachable("Servers that are programs of this machine are not enabled");
    }
    var settings = server.settings();
    var command = new ArrayList<String>();
    command.add(String.valueOf(settings.command()));
    command.addAll(settings.args());
    var environment = new HashMap<>(CleanEnvironment.inherited());
    opened(server).env().entrySet().stream()
        .filter(variable -> !Surroundings.injects(variable.getKey()))
        .forEach(variable -> environment.put(variable.getKey(), variable.getValue()));
    return new Program(work, command, PLACE, environment, text -> masked(server, text));
  }

  private Secrets opened(McpServer server) throws McpException {
    return secrets
        .open(server.id(), server.settings(), server.sealed())
        .orElseThrow(() -> McpException.unreachable(LOCKED));
  }

  /** A text of the server with the secrets that were sent to it made unreadable. */
  String masked(McpServer server, String text) {
    return mask(server).apply(text);
  }

  /** The same for all texts of something that the server said. */
  <T extends JsonNode> T masked(McpServer server, T said) {
    SpokenSecrets.hide(said, mask(server));
    return said;
  }

  private UnaryOperator<String> mask(McpServer server) {
    var stored = secrets.open(server.id(), server.settings(), server.sealed()).orElse(Secrets.NONE);
    var ours = internalSecret.filter(secret -> !secret.isBlank());
    return text -> {
      var masked = stored.masked(text).replace("\0", "");
      return ours.isPresent() ? masked.replace(ours.get(), Sensitive.MASK) : masked;
    };
  }
}
