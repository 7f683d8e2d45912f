package io.fengyu.agent.guard;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.tool.Tool;
import io.fengyu.agent.tool.ToolCatalog;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Says what the guard would say about a call, and why. */
@ApplicationScoped
class Explanation {

  private final ToolCatalog catalog;
  private final Guard guard;

  Explanation(ToolCatalog catalog, Guard guard) {
    this.catalog = catalog;
    this.guard = guard;
  }

  /** The tools that a question may be about. */
  Uni<Map<String, Tool>> tools(String owner) {
    return catalog.snapshot(owner);
  }

  /** The verdict on the call in a body. May wait for rules to be read. */
  Verdict of(String owner, Map<String, Tool> tools, @Nullable JsonNode body) {
    if (!(body instanceof ObjectNode question)) {
      throw GuardProblems.body("", "an object");
    }
    var name = question.path("tool");
    if (!name.isTextual()) {
      throw GuardProblems.body("tool", "the name of a tool");
    }
    var tool = tools.get(name.textValue());
    if (tool == null) {
      throw GuardProblems.tool(name.textValue());
    }
    return guard.foresee(
        Subject.of(owner, mode(question.path("permissionMode"))),
        tool.spec(),
        args(question),
        true);
  }

  private static ObjectNode args(ObjectNode question) {
    var args = question.path("args");
    if (args.isMissingNode() || args.isNull()) {
      return JsonNodeFactory.instance.objectNode();
    }
    if (args instanceof ObjectNode object) {
      return object;
    }
    throw GuardProblems.body("args", "an object");
  }

  private static PermissionMode mode(JsonNode value) {
    if (value.isMissingNode() || value.isNull()) {
      return PermissionMode.ASK_FOR_APPROVAL;
    }
    return PermissionMode.of(value.asText()).orElseThrow(() -> GuardProblems.mode(value.asText()));
  }
}
