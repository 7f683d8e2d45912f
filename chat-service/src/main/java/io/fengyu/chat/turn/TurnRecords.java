package io.fengyu.chat.turn;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.chat.journal.StoredTurn;
import io.fengyu.chat.journal.TurnPages;
import io.fengyu.chat.journal.TurnProblems;
import io.fengyu.chat.journal.TurnStore;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A turn as it stands: what came of it so far, and what can be done with it. */
@ApplicationScoped
class TurnRecords {

  private final TurnStore store;
  private final TurnPages pages;
  private final Approvals approvals;
  private final ObjectMapper json;

  TurnRecords(TurnStore store, TurnPages pages, Approvals approvals, ObjectMapper json) {
    this.store = store;
    this.pages = pages;
    this.approvals = approvals;
    this.json = json;
  }

  Uni<ObjectNode> of(String owner, UUID id) {
    return store
        .find(owner, id)
        .map(found -> existing(found, id))
        .chain(
            turn ->
                Uni.combine()
                    .all()
                    .unis(pages.all(id), approvals.pending(owner, id))
                    .asTuple()
                    .map(both -> record(turn, both.getItem1(), both.getItem2())));
  }

  private static StoredTurn existing(@Nullable StoredTurn found, UUID id) {
    if (found == null) {
      throw TurnProblems.unknown(id.toString());
    }
    return found;
  }

  private ObjectNode record(
      StoredTurn turn, List<TurnPages.Said> said, List<Approvals.Pending> pending) {
    var record = json.createObjectNode();
    var over = turn.status().over();
    record.put("run_id", turn.id().toString());
    record.put("streamId", turn.id().toString());
    record.put("kind", "chat");
    record.put("session_id", turn.conversationId());
    record.put("run_status", turn.runStatus());
    record.put("execution_stopped", over);
    record.put("terminal_persisted", over);
    record.put("cancel_status", cancelStatus(turn));
    record.put("execution_generation", turn.generation());
    record.put("revision", said.size());
    record.put("can_send", over);
    record.put("input", turn.input());
    var text = turn.text();
    record.put("text", text == null ? TurnPages.words(said) : text);
    record.set("options", read(turn.options()));
    record.set("error", turn.error() == null ? null : read(turn.error()));
    record.set("tools", tools(said));
    record.set("pending_approval", pending.isEmpty() ? null : json.valueToTree(pending.getFirst()));
    var kept = turn.record();
    if (kept != null && read(kept) instanceof ObjectNode more) {
      record.setAll(more);
    }
    record.put("superseded_by", turn.supersededBy() == null ? null : "" + turn.supersededBy());
    record.put("startedAt", Wire.time(turn.startedAt()));
    record.put("endedAt", turn.endedAt() == null ? null : Wire.time(turn.endedAt()));
    return record;
  }

  private static String cancelStatus(StoredTurn turn) {
    if (!turn.cancelRequested()) {
      return "none";
    }
    return turn.status().over() ? "confirmed" : "requested";
  }

  // One entry for each call, with its result once there is one.
  private JsonNode tools(List<TurnPages.Said> said) {
    var calls = new LinkedHashMap<String, ObjectNode>();
    for (var one : said) {
      if (!one.type().equals("tool")) {
        continue;
      }
      var data = read(one.data());
      var call = calls.computeIfAbsent(data.path("id").asText(), id -> json.createObjectNode());
      switch (data.path("phase").asText()) {
        case "call" ->
            call.put("id", data.path("id").asText())
                .put("name", data.path("name").asText())
                .put("arguments", data.path("arguments").asText());
        case "result" ->
            call.put("success", data.path("success").asBoolean())
                .put("output", data.path("output").asText());
        case "approval_resolved" -> call.put("decision", data.path("decision").asText());
        default -> {}
      }
    }
    var list = json.createArrayNode();
    calls.values().forEach(list::add);
    return list;
  }

  private JsonNode read(@Nullable String text) {
    try {
      return json.readTree(text);
    } catch (JsonProcessingException damaged) {
      throw new IllegalStateException("what is stored of a turn is no JSON", damaged);
    }
  }
}
