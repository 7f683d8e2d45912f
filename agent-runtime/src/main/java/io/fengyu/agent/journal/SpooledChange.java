package io.fengyu.agent.journal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.tool.Effect;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Changes as a spool file has them. */
final class SpooledChange {

  private SpooledChange() {}

  static ObjectNode write(Change change) {
    var node = JsonNodeFactory.instance.objectNode();
    return switch (change) {
      case Change.Status(var status) -> node.put("kind", "status").put("status", status.name());
      case Change.Plan(var text) -> node.put("kind", "plan").put("plan", text);
      case Change.Gate(var status, var gateId, var payload) ->
          node.put("kind", "gate")
              .put("status", status.name())
              .put("gateId", gateId)
              .set("payload", payload);
      case Change.End(var status, var summary, var error, var interrupted) ->
          node.put("kind", "end")
              .put("status", status.name())
              .put("summary", summary)
              .put("error", error)
              .put("interrupted", interrupted);
      case Change.Intended call ->
          node.put("kind", "intended")
              .put("id", call.invocationId().toString())
              .put("step", call.step())
              .put("attempt", call.attempt())
              .put("tool", call.tool())
              .put("effect", call.effect().name())
              .put("argsHash", call.argsHash());
      case Change.Outcome(var id, var state) ->
          node.put("kind", "outcome").put("id", id.toString()).put("state", state.name());
      case Change.Wrote(var step, var path, var location, var size) ->
          node.put("kind", "wrote")
              .put("step", step)
              .put("path", path)
              .put("location", location)
              .put("size", size);
    };
  }

  static Change read(JsonNode node) {
    return switch (node.path("kind").asText()) {
      case "status" -> new Change.Status(status(node));
      case "plan" -> new Change.Plan(node.path("plan").asText());
      case "gate" ->
          new Change.Gate(
              status(node), node.path("gateId").asText(), (ObjectNode) node.path("payload"));
      case "end" ->
          new Change.End(
              status(node),
              text(node, "summary"),
              text(node, "error"),
              node.path("interrupted").asBoolean());
      case "intended" ->
          new Change.Intended(
              id(node),
              node.path("step").asInt(),
              node.path("attempt").asInt(),
              node.path("tool").asText(),
              Effect.valueOf(node.path("effect").asText()),
              node.path("argsHash").asText());
      case "outcome" ->
          new Change.Outcome(id(node), Change.ReceiptState.valueOf(node.path("state").asText()));
      case "wrote" ->
          new Change.Wrote(
              node.path("step").asInt(),
              node.path("path").asText(),
              node.path("location").asText(),
              node.path("size").asLong());
      default -> throw new IllegalArgumentException("Unknown change " + node.path("kind"));
    };
  }

  private static RunStatus status(JsonNode node) {
    return RunStatus.valueOf(node.path("status").asText());
  }

  private static UUID id(JsonNode node) {
    return UUID.fromString(node.path("id").asText());
  }

  private static @Nullable String text(JsonNode node, String field) {
    return node.hasNonNull(field) ? node.get(field).asText() : null;
  }
}
