package io.fengyu.agent.mcp;

import io.fengyu.agent.job.Jobs;
import io.fengyu.agent.mcp.ServerStore.Version;
import io.fengyu.agent.tool.Tool;
import io.fengyu.agent.tool.ToolSource;
import io.fengyu.agent.tool.ToolSpec;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;

/** The accepted tools of all enabled servers of an owner. */
@ApplicationScoped
class McpTools implements ToolSource {

  /** How a conversation is kept is no business of a model. */
  private static final Set<String> NOT_FOR_MODELS =
      Set.of("register_session", "delete_graph_session", "set_session_config");

  private static final Set<String> ABOUT_JOBS = Set.of("get_job_status", "cancel_job");

  private static final Pattern REPORTING = Pattern.compile("(?i)(^|.*[_.-])reports?([_.-].*|$)");
  private static final int MOST_KEPT = 500;

  private final ServerStore store;
  private final McpCalls calls;
  private final McpConfig config;
  private final Jobs jobs;

  // What was made of a server, as long as its revisions stay. Only ever replaced by the same or by
  // newer; a few too many are forgotten, oldest first.
  private final Map<UUID, Made> made =
      Collections.synchronizedMap(
          new LinkedHashMap<>(64, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<UUID, Made> eldest) {
              return size() > MOST_KEPT;
            }
          });

  private record Made(Version version, List<Tool> tools) {}

  McpTools(ServerStore store, McpCalls calls, McpConfig config, Jobs jobs) {
    this.store = store;
    this.calls = calls;
    this.config = config;
    this.jobs = jobs;
  }

  @Override
  public int rank() {
    return MCP;
  }

  @Override
  public Uni<List<Tool>> tools(String owner) {
    return store.catalog(owner).chain(this::current);
  }

  private Uni<List<Tool>> current(List<Version> catalog) {
    var known = new HashMap<UUID, List<Tool>>();
    var missing = new ArrayList<UUID>();
    for (var version : catalog) {
      var kept = made.get(version.id());
      if (kept != null && kept.version.equals(version)) {
        known.put(version.id(), kept.tools);
      } else {
        missing.add(version.id());
      }
    }
    var loaded =
        missing.isEmpty() ? Uni.createFrom().item(List.<McpServer>of()) : store.findAll(missing);
    return loaded.map(
        servers -> {
          servers.forEach(server -> known.put(server.id(), make(server)));
          return catalog.stream()
              .flatMap(version -> known.getOrDefault(version.id(), List.of()).stream())
              .toList();
        });
  }

  private List<Tool> make(McpServer server) {
    var tools =
        offered(server).stream()
            .filter(this::wanted)
            .map(offer -> (Tool) new McpTool(offer.tool(), offer.spec(), server.id(), calls, jobs))
            .toList();
    made.put(
        server.id(),
        new Made(
            new Version(server.id(), server.settingsRevision(), server.toolsRevision()), tools));
    return tools;
  }

  private boolean wanted(Offer offer) {
    return config.reportingTools() || !REPORTING.matcher(offer.tool()).matches();
  }

  /**
   * A tool that can be called.
   *
   * @param tool the server's own name for it
   */
  record Offer(String tool, ToolSpec spec) {

    /** Its name in the catalog. */
    String name() {
      return spec.name();
    }
  }

  /** What a server offers, was accepted, and is wanted. */
  static List<Offer> offered(McpServer server) {
    var offers = new LinkedHashMap<String, Offer>();
    server
        .offered()
        .byName()
        .forEach(
            (tool, declared) -> {
              if (callable(server, tool)) {
                var spec = ToolDeclaration.spec(server, declared);
                offers.putIfAbsent(spec.name(), new Offer(tool, spec));
              }
            });
    return List.copyOf(offers.values());
  }

  /** True for what this program itself asks a server, whether models are shown it or not. */
  static boolean tellsAboutJobs(McpServer server, String tool) {
    return server.enabled()
        && ABOUT_JOBS.contains(tool)
        && server.offered().agreesOn(tool, server.accepted());
  }

  /** True when a tool may be called by its server's own name. */
  static boolean callable(McpServer server, String tool) {
    return server.enabled()
        && !server.settings().disabledTools().contains(tool)
        && !NOT_FOR_MODELS.contains(tool)
        && server.offered().agreesOn(tool, server.accepted());
  }
}
