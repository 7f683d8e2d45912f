package io.fengyu.agent.scope;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.tool.ToolSpec;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Duration;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Looks up scopes, and stores what calls confirm. */
@ApplicationScoped
class SessionScopes implements DataScopes {

  private static final Logger LOG = Logger.getLogger(SessionScopes.class);
  private static final Duration WITHIN = Duration.ofSeconds(10);

  private final SessionData data;
  private final Clock clock;

  SessionScopes(SessionData data, Clock clock) {
    this.data = data;
    this.clock = clock;
  }

  @Override
  public DataScope of(String owner, @Nullable String sessionId) {
    return sessionId == null
        ? DataScope.EVERYTHING
        : (tool, args) -> allows(owner, sessionId, tool, args);
  }

  private boolean allows(String owner, String sessionId, ToolSpec tool, ObjectNode args) {
    var named = DatasetIds.of(tool, args);
    if (named.isEmpty()) {
      return true;
    }
    try {
      var scope = data.find(owner, sessionId).await().atMost(WITHIN).scope();
      return scope == null || scope.ids().containsAll(named);
    } catch (RuntimeException away) {
      LOG.warnf("The scope of a conversation can't be read: %s", away.getMessage());
      return false;
    }
  }

  @Override
  public void succeeded(Place place, ToolSpec tool, ObjectNode args, String result) {
    var session = place.sessionId();
    var confirmed = session == null ? null : Confirmed.by(tool, args, result);
    if (session == null || confirmed == null) {
      return;
    }
    var state = confirmed.state().put("confirmed_at", clock.instant().toString());
    if (place.work() != null) {
      state.put("run_id", place.work());
    }
    try {
      data.confirm(place.owner(), session, confirmed.dataset(), state).await().atMost(WITHIN);
    } catch (RuntimeException notStored) {
      LOG.warnf("What a call confirmed could not be stored: %s", notStored.getMessage());
    }
  }
}
