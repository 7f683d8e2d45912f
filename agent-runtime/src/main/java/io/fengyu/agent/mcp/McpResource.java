package io.fengyu.agent.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.mcp.McpServer.Status;
import io.fengyu.agent.mcp.Servers.Asker;
import io.fengyu.agent.mcp.Servers.Tested;
import io.fengyu.contract.identity.Caller;
import io.smallrye.mutiny.Uni;
import jakarta.validation.constraints.NotNull;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jboss.resteasy.reactive.ResponseStatus;
import org.jboss.resteasy.reactive.RestPath;
import org.jspecify.annotations.Nullable;

/** Lets people say which servers offer them tools, and which of these they trust. */
@Path("/api/mcp")
public class McpResource {

  private final Servers servers;
  private final Caller caller;

  McpResource(Servers servers, Caller caller) {
    this.servers = servers;
    this.caller = caller;
  }

  /**
   * How a server is doing, without how it is reached.
   *
   * @param state {@code changed} when it declares something that was not accepted yet
   * @param tools names in the catalog
   */
  public record ServerStatus(
      UUID id,
      String name,
      String scope,
      boolean enabled,
      Status status,
      @Nullable String error,
      @Nullable Instant nextAttemptAt,
      String toolPrefix,
      String state,
      List<String> tools) {

    static ServerStatus of(McpServer server) {
      var view = ServerView.of(server);
      return new ServerStatus(
          view.id(),
          view.name(),
          view.scope(),
          view.enabled(),
          view.status(),
          view.error(),
          view.nextAttemptAt(),
          view.toolPrefix(),
          view.state(),
          McpTools.offered(server).stream().map(tool -> tool.name()).toList());
    }
  }

  /**
   * How a test went.
   *
   * @param error null when it went well
   * @param tools the server's own names
   */
  public record TestResult(
      boolean ok, @Nullable String error, List<String> tools, long durationMs) {

    static TestResult of(Tested tested) {
      var tools = tested.outcome().tools();
      return new TestResult(
          tools != null,
          tested.outcome().error(),
          tools == null ? List.of() : List.copyOf(tools.byName().keySet()),
          tested.durationMs());
    }
  }

  @GET
  @Path("/servers")
  public Uni<List<ServerView>> list() {
    return servers.list(asker()).map(all -> all.stream().map(ServerView::of).toList());
  }

  @POST
  @Path("/servers")
  @ResponseStatus(201)
  public Uni<ServerView> create(@NotNull ObjectNode body) {
    return servers.create(asker(), body).map(ServerView::of);
  }

  @PUT
  @Path("/servers/{id}")
  public Uni<ServerView> change(@RestPath String id, @NotNull ObjectNode body) {
    return servers.change(asker(), id, body).map(ServerView::of);
  }

  @DELETE
  @Path("/servers/{id}")
  public Uni<Void> delete(@RestPath String id) {
    return servers.delete(asker(), id);
  }

  /** Connects right now. */
  @POST
  @Path("/servers/{id}/test")
  public Uni<TestResult> test(@RestPath String id) {
    return servers.test(asker(), id).map(TestResult::of);
  }

  /** Accepts tools as the server declares them now: all, or those that are named. */
  @POST
  @Path("/servers/{id}/accept")
  public Uni<ServerView> accept(@RestPath String id, @NotNull ObjectNode body) {
    return servers.accept(asker(), id, body).map(ServerView::of);
  }

  @GET
  @Path("/status")
  public Uni<List<ServerStatus>> status() {
    return servers.all(asker()).map(all -> all.stream().map(ServerStatus::of).toList());
  }

  private Asker asker() {
    return Asker.of(caller);
  }
}
