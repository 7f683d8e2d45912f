package io.fengyu.chat.model.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.chat.model.config.StoredConfig.StoredKey;
import io.fengyu.chat.model.config.StoredConfig.StoredModel;
import io.smallrye.mutiny.Uni;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlClient;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The three tables of model configuration. They are read with every use and never cached, so a
 * change holds for the next request on every replica.
 */
@ApplicationScoped
class AiConfigStore {

  // Three probes of primary keys (or their prefixes) in one round trip.
  private static final String READ =
      """
      SELECT coalesce((SELECT settings FROM chat.ai_config WHERE owner = $1), '{}'::jsonb)
               AS settings,
             coalesce((SELECT jsonb_object_agg(slot, jsonb_build_array(origin, sealed))
                         FROM chat.ai_key WHERE owner = $1), '{}'::jsonb) AS keys,
             coalesce((SELECT jsonb_agg(jsonb_build_array(id, mode, model, base_url) ORDER BY id)
                         FROM chat.ai_model WHERE owner = $1), '[]'::jsonb) AS models""";

  // Makes sure that there is a row to hold, then holds it: changes of one owner go one by one.
  private static final String CREATE =
      "INSERT INTO chat.ai_config (owner) VALUES ($1) ON CONFLICT (owner) DO NOTHING";
  private static final String HOLD = "SELECT 1 FROM chat.ai_config WHERE owner = $1 FOR UPDATE";

  private static final String WRITE_SETTINGS =
      "UPDATE chat.ai_config SET settings = $2, updated_at = now() WHERE owner = $1";

  private static final String WRITE_KEY =
      """
      INSERT INTO chat.ai_key (owner, slot, origin, sealed)
      VALUES ($1, $2, $3, $4)
      ON CONFLICT (owner, slot)
      DO UPDATE SET origin = excluded.origin, sealed = excluded.sealed, updated_at = now()""";

  private static final String DELETE_KEY = "DELETE FROM chat.ai_key WHERE owner = $1 AND slot = $2";

  // Only if nobody stored another key meanwhile.
  private static final String RESEAL =
      "UPDATE chat.ai_key SET sealed = $4 WHERE owner = $1 AND slot = $2 AND sealed = $3";

  private static final String WRITE_MODEL =
      """
      INSERT INTO chat.ai_model (owner, id, mode, model, base_url)
      VALUES ($1, $2, $3, $4, $5)
      ON CONFLICT (owner, id)
      DO UPDATE SET mode = excluded.mode, model = excluded.model, base_url = excluded.base_url,
                    updated_at = now()""";

  private static final String DELETE_MODEL =
      "DELETE FROM chat.ai_model WHERE owner = $1 AND id = $2";

  private final Pool pg;
  private final ObjectMapper json;

  AiConfigStore(Pool pg, ObjectMapper json) {
    this.pg = pg;
    this.json = json;
  }

  Uni<StoredConfig> read(String owner) {
    return read(pg, owner);
  }

  /**
   * Reads, lets the caller decide, and writes, while no other change of this owner comes between.
   */
  Uni<StoredConfig> change(String owner, Function<StoredConfig, AiChange> decide) {
    return pg.withTransaction(
        connection ->
            hold(connection, owner)
                .chain(unused -> read(connection, owner))
                .map(decide)
                .chain(change -> write(connection, owner, change))
                .chain(unused -> read(connection, owner)));
  }

  Uni<Void> reseal(String owner, String slot, String from, String to) {
    return pg.preparedQuery(RESEAL).execute(Tuple.of(owner, slot, from, to)).replaceWithVoid();
  }

  private static Uni<Void> hold(SqlConnection connection, String owner) {
    return connection
        .preparedQuery(CREATE)
        .execute(Tuple.of(owner))
        .chain(unused -> connection.preparedQuery(HOLD).execute(Tuple.of(owner)))
        .replaceWithVoid();
  }

  private static Uni<Void> write(SqlConnection connection, String owner, AiChange change) {
    var statements = new ArrayList<Statement>();
    change
        .settings()
        .ifPresent(
            settings ->
                statements.add(
                    new Statement(
                        WRITE_SETTINGS, Tuple.of(owner, new JsonObject(settings.toString())))));
    change
        .keys()
        .forEach(
            key ->
                statements.add(
                    new Statement(
                        WRITE_KEY, Tuple.of(owner, key.slot(), key.origin(), key.sealed()))));
    change
        .clearedSlots()
        .forEach(slot -> statements.add(new Statement(DELETE_KEY, Tuple.of(owner, slot))));
    change
        .model()
        .ifPresent(
            model ->
                statements.add(
                    new Statement(
                        WRITE_MODEL,
                        Tuple.of(
                            owner, model.id(), model.mode(), model.model(), model.baseUrl()))));
    change
        .deletedModel()
        .ifPresent(id -> statements.add(new Statement(DELETE_MODEL, Tuple.of(owner, id))));
    return all(connection, statements);
  }

  private record Statement(String sql, Tuple values) {}

  private static Uni<Void> all(SqlConnection connection, List<Statement> statements) {
    var done = Uni.createFrom().voidItem();
    for (var statement : statements) {
      done =
          done.chain(
              unused ->
                  connection
                      .preparedQuery(statement.sql())
                      .execute(statement.values())
                      .replaceWithVoid());
    }
    return done;
  }

  private Uni<StoredConfig> read(SqlClient client, String owner) {
    return client
        .preparedQuery(READ)
        .execute(Tuple.of(owner))
        .map(rows -> stored(rows.iterator().next()));
  }

  private StoredConfig stored(Row row) {
    return new StoredConfig(
        (ObjectNode) tree(row.getJsonObject("settings").encode()),
        keys(row.getJsonObject("keys")),
        models(row.getJsonArray("models")));
  }

  private JsonNode tree(String text) {
    try {
      return json.readTree(text);
    } catch (com.fasterxml.jackson.core.JsonProcessingException impossible) {
      throw new IllegalStateException("Postgres keeps only JSON in jsonb", impossible);
    }
  }

  private static Map<String, StoredKey> keys(JsonObject bySlot) {
    var keys = new HashMap<String, StoredKey>();
    for (var slot : bySlot.fieldNames()) {
      var key = bySlot.getJsonArray(slot);
      keys.put(slot, new StoredKey(key.getString(0), key.getString(1)));
    }
    return keys;
  }

  private static List<StoredModel> models(JsonArray rows) {
    var models = new ArrayList<StoredModel>();
    for (var at = 0; at < rows.size(); at++) {
      var row = rows.getJsonArray(at);
      models.add(
          new StoredModel(row.getString(0), row.getString(1), row.getString(2), row.getString(3)));
    }
    return models;
  }
}
