package io.fengyu.agent.run;

import io.fengyu.contract.start.StartClaims;
import io.fengyu.contract.start.StartKey;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jspecify.annotations.Nullable;

/** The ids that starts bring in their body: keys of starts which cancels can name, too. */
@ApplicationScoped
class StartRequests {

  private static final String ROUTE = "start_request_id";

  private final StartClaims claims;
  private final boolean enabled;
  private final Map<Key, UUID> recent = Collections.synchronizedMap(new Recent());

  StartRequests(
      StartClaims claims,
      @ConfigProperty(name = "fengyu.runs.cancel-enabled", defaultValue = "false")
          boolean enabled) {
    this.claims = claims;
    this.enabled = enabled;
  }

  /** The id as far as it counts; null when it doesn't, or there is none. */
  @Nullable String counted(@Nullable String requestId) {
    return enabled ? requestId : null;
  }

  /** The id as the key of a start of this content. */
  StartKey key(String owner, String requestId, String fingerprint) {
    return new StartKey(owner, ROUTE, "startRequestId", requestId, fingerprint);
  }

  /**
   * Makes sure that no run begins under that id any more.
   *
   * @return the run that began under it; null for none
   */
  Uni<@Nullable UUID> cancel(String owner, String requestId) {
    return claims.cancel(key(owner, requestId, ""));
  }

  /** Remembers the run of an id, for the time when the database can't be asked. */
  void began(String owner, String requestId, UUID runId) {
    recent.put(new Key(owner, requestId), runId);
  }

  /** The run that this process started for the id lately, as far as it remembers. */
  @Nullable UUID recent(String owner, String requestId) {
    return recent.get(new Key(owner, requestId));
  }

  private record Key(String owner, String requestId) {}

  private static final class Recent extends LinkedHashMap<Key, UUID> {

    private static final long serialVersionUID = 1;
    private static final int KEPT = 2000;

    @Override
    protected boolean removeEldestEntry(Map.Entry<Key, UUID> eldest) {
      return size() > KEPT;
    }
  }
}
