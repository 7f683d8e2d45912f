package io.fengyu.agent.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.model.ModelBlock;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Builds the conversation of a direct run again from what is on record. */
@ApplicationScoped
class DirectHistory {

  // The events of one run by its primary key; few enough to be sorted.
  private static final String READ =
      """
      SELECT type, data
        FROM agent.run_event
       WHERE run_id = $1 AND type IN ('model_turn', 'tool')
       ORDER BY audit_seq""";

  private final Pool pool;

  DirectHistory(Pool pool) {
    this.pool = pool;
  }

  /** Fails when the run has no conversation. */
  Uni<DirectTalk> of(UUID runId) {
    return pool.preparedQuery(READ).execute(Tuple.of(runId)).map(DirectHistory::talk);
  }

  private static DirectTalk talk(RowSet<Row> rows) {
    DirectTalk talk = null;
    for (var row : rows) {
      talk = after(talk, row.getString("type"), Json.stored(row.getString("data")));
    }
    if (talk == null) {
      throw new IllegalStateException("a direct run without a beginning");
    }
    return talk;
  }

  private static DirectTalk after(@Nullable DirectTalk talk, String type, ObjectNode data) {
    if (talk == null) {
      return new DirectTalk(data.path("system").asText(), data.path("user").asText());
    }
    if (type.equals("model_turn")) {
      var blocks = new ArrayList<ModelBlock>();
      data.path("blocks").forEach(block -> blocks.add(DirectEvents.block(block)));
      talk.said(blocks);
      talk.answeredBy(data.path("pin").textValue());
    } else if (data.path("phase").asText().equals("result")) {
      talk.result(
          data.path("id").asText(), data.path("output").asText(), data.path("success").asBoolean());
    }
    return talk;
  }
}
