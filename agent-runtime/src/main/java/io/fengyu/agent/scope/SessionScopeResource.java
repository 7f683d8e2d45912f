package io.fengyu.agent.scope;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.identity.Caller;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import org.jboss.resteasy.reactive.RestPath;
import org.jspecify.annotations.Nullable;

/** Lets other services say which data a conversation may work on. No user reaches it. */
@Path("/internal/sessions/{sessionId}/scope")
public class SessionScopeResource {

  private final SessionData data;
  private final Caller caller;

  SessionScopeResource(SessionData data, Caller caller) {
    this.data = data;
    this.caller = caller;
  }

  /** Replaces the scope; in force from the next call on, also of a run that is under way. */
  @PUT
  public Uni<ObjectNode> limit(@RestPath String sessionId, @Nullable JsonNode body) {
    var scope = SessionScope.read(body);
    return data.limit(owner(), sessionId, scope).replaceWith(scope.json());
  }

  /** The scope, and what tools have confirmed; without the scope's members while it has none. */
  @GET
  public Uni<ObjectNode> current(@RestPath String sessionId) {
    return data.all(owner(), sessionId);
  }

  private String owner() {
    if (caller.owner().isBlank()) {
      throw ScopeProblems.nobody();
    }
    return caller.owner();
  }
}
