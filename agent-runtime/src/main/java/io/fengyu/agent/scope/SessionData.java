package io.fengyu.agent.scope;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import org.jspecify.annotations.Nullable;

/** What is on record about the data of conversations. */
@ApplicationScoped
public class SessionData {

  private static final String PUT_SCOPE =
      """
      INSERT INTO agent.session_data (owner, session_id, scope) VALUES ($1, $2, $3)
      ON CONFLICT (owner, session_id) DO UPDATE SET scope = excluded.scope, updated_at = now()""";

  // Calls of one conversation may end at the same time: the later one to store is the newer.
  private static final String PUT_STATE =
      """
      INSERT INTO agent.session_data (owner, session_id, active_dataset_id, data_state)
      VALUES ($1, $2, $3, $4)
      ON CONFLICT (owner, session_id) DO UPDATE
         SET active_dataset_id = coalesce(excluded.active_dataset_id,
                                          agent.session_data.active_dataset_id),
             data_state = excluded.data_state, updated_at = now()""";

  // Primary key.
  private static final String FIND =
      """
      SELECT scope, active_dataset_id, data_state
        FROM agent.session_data WHERE owner = $1 AND session_id = $2""";

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Pool pool;

  SessionData(Pool pool) {
    this.pool = pool;
  }

  /**
   * What is known of a conversation.
   *
   * @param scope null when nobody has limited it
   */
  record Known(
      @Nullable SessionScope scope, @Nullable String activeDataset, @Nullable ObjectNode state) {

    static final Known NOTHING = new Known(null, null, null);
  }

  Uni<Known> find(String owner, String sessionId) {
    return pool.preparedQuery(FIND)
        .execute(Tuple.of(owner, sessionId))
        .map(rows -> rows.stream().findFirst().map(SessionData::known).orElse(Known.NOTHING));
  }

  private static Known known(Row row) {
    var scope = object(row.getString(0));
    return new Known(
        scope == null ? null : SessionScope.stored(scope),
        row.getString(1),
        object(row.getString(2)));
  }

  private static @Nullable ObjectNode object(@Nullable String stored) {
    if (stored == null) {
      return null;
    }
    try {
      return (ObjectNode) JSON.readTree(stored);
    } catch (JsonProcessingException damaged) {
      throw new IllegalStateException("stored JSON is not readable", damaged);
    }
  }

  Uni<Void> limit(String owner, String sessionId, SessionScope scope) {
    return pool.preparedQuery(PUT_SCOPE)
        .execute(Tuple.of(owner, sessionId, scope.json().toString()))
        .replaceWithVoid();
  }

  /**
   * Notes what a tool has confirmed.
   *
   * @param dataset null when it says nothing about which one is active
   */
  Uni<Void> confirm(String owner, String sessionId, @Nullable String dataset, ObjectNode state) {
    return pool.preparedQuery(PUT_STATE)
        .execute(Tuple.of(owner, sessionId, dataset, state.toString()))
        .replaceWithVoid();
  }

  /** The state of a conversation as clients see it; {@code null}s when nothing is known. */
  public Uni<ObjectNode> state(String owner, String sessionId) {
    return find(owner, sessionId).map(SessionData::shown);
  }

  /** The state, and the scope's members if there is one. */
  Uni<ObjectNode> all(String owner, String sessionId) {
    return find(owner, sessionId).map(SessionData::all);
  }

  private static ObjectNode all(Known known) {
    var told = shown(known);
    if (known.scope() != null) {
      told.setAll(known.scope().json());
    }
    return told;
  }

  private static ObjectNode shown(Known known) {
    var shown = JSON.createObjectNode().put("active_dataset_id", known.activeDataset());
    shown.set("data_state", known.state() == null ? JSON.nullNode() : known.state());
    return shown;
  }

  /**
   * What a model is told about the data of a conversation; empty when there is nothing to tell.
   *
   * @param atMost characters
   */
  public Uni<String> briefing(String owner, @Nullable String sessionId, int atMost) {
    return sessionId == null
        ? Uni.createFrom().item("")
        : find(owner, sessionId).map(known -> briefing(known, atMost));
  }

  private static String briefing(Known known, int atMost) {
    if (known.equals(Known.NOTHING)) {
      return "";
    }
    var text = all(known).toString();
    return text.length() <= atMost ? text : text.substring(0, atMost) + "…";
  }
}
