package io.fengyu.agent.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.mcp.ServerReader.Draft;
import io.fengyu.agent.mcp.ServerStore.Written;
import io.fengyu.contract.identity.Caller;
import io.fengyu.contract.outbound.TargetPolicy;
import io.quarkus.virtual.threads.VirtualThreads;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.unchecked.Unchecked;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Servers as people configure them. Those over HTTP are of their owner; programs of this machine
 * are of the whole deployment, and admins decide about them.
 */
@ApplicationScoped
class Servers {

  private static final int MOST = 50;

  private final ServerStore store;
  private final Discovery discovery;
  private final SecretBox secrets;
  private final TargetPolicy targets;
  private final McpConfig config;
  private final ExecutorService threads;

  Servers(
      ServerStore store,
      Discovery discovery,
      SecretBox secrets,
      TargetPolicy targets,
      McpConfig config,
      @VirtualThreads ExecutorService threads) {
    this.store = store;
    this.discovery = discovery;
    this.secrets = secrets;
    this.targets = targets;
    this.config = config;
    this.threads = threads;
  }

  /** Who asks, taken while the request is at hand. */
  record Asker(String owner, boolean admin) {

    static Asker of(Caller caller) {
      return new Asker(caller.owner(), caller.admin());
    }
  }

  /** What the asker may change. */
  Uni<List<McpServer>> list(Asker asker) {
    return store
        .list(asker.owner())
        .map(
            servers ->
                servers.stream().filter(s -> s.belongsTo(asker.owner()) || asker.admin()).toList());
  }

  /** What is in the asker's catalog, or would be. */
  Uni<List<McpServer>> all(Asker asker) {
    return store.list(asker.owner());
  }

  Uni<McpServer> create(Asker asker, ObjectNode body) {
    var draft = allowed(asker, ServerReader.read(body, null), null);
    var id = UUID.randomUUID();
    return store
        .create(written(id, draft.settings().program() ? null : asker.owner(), draft), MOST)
        .invoke(discovery::look);
  }

  Uni<McpServer> change(Asker asker, String id, ObjectNode body) {
    return own(asker, id)
        .chain(before -> change(asker, before, body))
        .onItem()
        .ifNull()
        .failWith(McpProblems::changedMeanwhile)
        .invoke(discovery::look);
  }

  private Uni<@Nullable McpServer> change(Asker asker, McpServer before, ObjectNode body) {
    var known = draft(before);
    var draft = allowed(asker, ServerReader.read(body, known), before);
    if (draft.settings().program() != before.settings().program()) {
      throw McpProblems.invalid("type", "one of the same kind: delete the server and add another");
    }
    boolean moved = !draft.settings().origin().equals(before.settings().origin());
    var settled = moved && !body.hasNonNull("headers") ? withoutSecrets(draft) : draft;
    return store.change(written(before.id(), before.owner(), settled), before);
  }

  // Secrets belong to the address they were entered for. Who moves a server enters them again.
  private static Draft withoutSecrets(Draft draft) {
    var settings = draft.settings();
    return new Draft(
        draft.name(),
        draft.enabled(),
        new ServerSettings(
            settings.type(),
            settings.url(),
            settings.endpoint(),
            settings.command(),
            settings.args(),
            List.of(),
            List.of(),
            settings.internal(),
            settings.disabledTools(),
            settings.requestTimeoutSeconds(),
            settings.initTimeoutSeconds(),
            settings.toolEffects(),
            settings.toolResources()),
        Secrets.NONE);
  }

  private Draft draft(McpServer server) {
    var stored = secrets.open(server.id(), server.settings(), server.sealed()).orElse(Secrets.NONE);
    return new Draft(server.name(), server.enabled(), server.settings(), stored);
  }

  private Written written(UUID id, @Nullable String owner, Draft draft) {
    return new Written(
        id,
        owner,
        draft.name(),
        draft.settings(),
        secrets.seal(id, draft.settings(), draft.secrets()),
        draft.enabled());
  }

  /** Programs run on our machine, and the internal secret opens our services. */
  private Draft allowed(Asker asker, Draft draft, @Nullable McpServer before) {
    var settings = draft.settings();
    if (settings.program() && !asker.admin()) {
      throw McpProblems.adminOnly();
    }
    if (settings.program() && before == null && !config.commandsAllowed()) {
      throw McpProblems.commandsDisabled();
    }
    if (settings.internal() && !asker.admin()) {
      throw McpProblems.adminOnly();
    }
    if (!settings.program()
        && targets.refusesLiterally(settings.address(), config.privateAllowed())) {
      throw McpProblems.addressRefused(String.valueOf(settings.address().getHost()));
    }
    return draft;
  }

  Uni<Void> delete(Asker asker, String id) {
    return own(asker, id).chain(server -> store.delete(server.id()));
  }

  /** Asks the server for its tools right now, and notes what it said. */
  Uni<Tested> test(Asker asker, String id) {
    return own(asker, id)
        .emitOn(threads)
        .map(
            server -> {
              long started = System.nanoTime();
              var outcome = discovery.discover(server);
              return new Tested(outcome, (System.nanoTime() - started) / 1_000_000);
            });
  }

  /** How an attempt went. */
  record Tested(Discovery.Outcome outcome, long durationMs) {}

  /** Takes what the server declares now for good. */
  Uni<McpServer> accept(Asker asker, String id, ObjectNode body) {
    var revision = body.path("toolsRevision");
    if (!revision.isInt()) {
      throw McpProblems.invalid("toolsRevision", "the number that was shown with the tools");
    }
    return own(asker, id)
        .chain(server -> store.accept(server.id(), revision.asInt(), accepted(server, body)))
        .onItem()
        .ifNull()
        .failWith(McpProblems::changedMeanwhile);
  }

  private static ToolSet accepted(McpServer server, ObjectNode body) {
    var named = body.path("tools");
    if (named.isMissingNode() || named.isNull()) {
      return server.offered();
    }
    var names = new ArrayList<String>();
    StreamSupport.stream(named.spliterator(), false).forEach(name -> names.add(name.asText()));
    if (!named.isArray() || names.stream().anyMatch(name -> server.offered().get(name) == null)) {
      throw McpProblems.invalid("tools", "an array of names of tools that the server offers");
    }
    return server.accepted().with(server.offered(), names);
  }

  /** A server of somebody else is as good as none. */
  private Uni<McpServer> own(Asker asker, String id) {
    return Uni.createFrom()
        .item(Unchecked.supplier(() -> uuid(id)))
        .chain(store::find)
        .onItem()
        .ifNull()
        .failWith(McpProblems::notFound)
        .invoke(server -> checkOwner(asker, server));
  }

  private static void checkOwner(Asker asker, McpServer server) {
    if (server.owner() == null && !asker.admin()) {
      throw McpProblems.adminOnly();
    }
    if (server.owner() != null && !server.belongsTo(asker.owner())) {
      throw McpProblems.notFound();
    }
  }

  private static UUID uuid(String id) {
    try {
      return UUID.fromString(id);
    } catch (IllegalArgumentException malformed) {
      throw McpProblems.notFound();
    }
  }
}
