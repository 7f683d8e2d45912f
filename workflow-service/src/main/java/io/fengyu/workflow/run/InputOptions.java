package io.fengyu.workflow.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.client.InternalClient;
import io.fengyu.contract.client.Service;
import io.fengyu.contract.problem.ProblemException;
import io.fengyu.workflow.WorkflowProblems;
import io.fengyu.workflow.definition.Definitions;
import io.fengyu.workflow.json.ExactJson;
import io.fengyu.workflow.tool.ToolDirectory;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * What an input can be chosen from. An input that names a list tool has its options read live, with
 * the rights of the caller; only tools that do nothing but read are asked.
 */
@ApplicationScoped
class InputOptions {

  private static final String LIVE = "x-fengyu-enum";
  private static final int MAX = 1000;

  private final Definitions definitions;
  private final ToolDirectory tools;
  private final InternalClient client;

  InputOptions(Definitions definitions, ToolDirectory tools, InternalClient client) {
    this.definitions = definitions;
    this.tools = tools;
    this.client = client;
  }

  Uni<ObjectNode> of(String id, String owner, String name) {
    return definitions
        .get(id, owner)
        .map(definition -> ExactJson.stored(definition.inputSchema()))
        .chain(schema -> options(owner, name, schema.path("properties").get(name)));
  }

  private Uni<ObjectNode> options(String owner, String name, @Nullable JsonNode input) {
    if (input == null) {
      throw WorkflowProblems.inputUnknown(name);
    }
    var live = input.path(LIVE);
    if (!live.isObject()) {
      return Uni.createFrom().item(declared(input));
    }
    var tool = live.path("method").asText("");
    return tools
        .of(owner)
        .map(known -> refuseUnfit(name, live, known))
        .chain(fit -> call(owner, tool))
        .map(result -> read(live, result))
        .onFailure(failure -> away(failure))
        .transform(failure -> WorkflowProblems.optionsUnavailable(name, tool));
  }

  private static boolean away(Throwable failure) {
    return failure instanceof TimeoutException
        || failure instanceof UnusableListException
        || (failure instanceof ProblemException known
            && !known.problem().code().equals("OPTIONS_UNAVAILABLE"));
  }

  private static String refuseUnfit(String name, JsonNode live, Map<String, JsonNode> known) {
    var method = live.path("method").asText("");
    var tool = known.get(method);
    var plugin = live.path("plugin").asText("");
    boolean fits =
        tool != null
            && tool.path("effect").asText().equals("read")
            && (plugin.isEmpty() || plugin.equals(tool.path("pluginId").asText()));
    if (!fits) {
      throw WorkflowProblems.optionsUnavailable(name, method);
    }
    return method;
  }

  private Uni<JsonNode> call(String owner, String tool) {
    var batch = ExactJson.object().put("permissionMode", "ask-for-approval");
    batch
        .putArray("calls")
        .addObject()
        .put("id", "options")
        .put("name", tool)
        .putObject("arguments");
    return client
        .post(Service.AGENT, "/api/agent/tools/batch")
        .as(owner)
        .patient()
        .json(batch)
        .send()
        .map(answer -> answer.body().path("results").path(0));
  }

  private static ObjectNode read(JsonNode live, JsonNode result) {
    var list = list(result, live.path("items").asText(""));
    var answer = ExactJson.object();
    var options = answer.putArray("options");
    for (var item : list) {
      if (options.size() < MAX) {
        option(options.addObject(), live, item);
      }
    }
    answer.put("multiple", live.path("multiple").asBoolean(false));
    return answer;
  }

  private static void option(ObjectNode option, JsonNode live, JsonNode item) {
    var value = item.isObject() ? item.path(live.path("value").asText("")) : item;
    var label = item.path(live.path("label").asText(""));
    option.set("value", value);
    option.put("label", label.isMissingNode() || label.isNull() ? value.asText() : label.asText());
    var secondary = item.path(live.path("labelSecondary").asText(""));
    if (!secondary.isMissingNode() && !secondary.isNull()) {
      option.put("secondary", secondary.asText());
    }
  }

  private static JsonNode list(JsonNode result, String path) {
    try {
      var output = ExactJson.tree(result.path("output").asText(""));
      var list = output;
      for (var part : path.isEmpty() ? new String[0] : path.split("\\.", -1)) {
        list = list.path(part);
      }
      if (result.path("success").asBoolean(false)
          && output.path("success").asBoolean(true)
          && list.isArray()) {
        return list;
      }
    } catch (JsonProcessingException noJson) {
      throw new UnusableListException(noJson);
    }
    throw new UnusableListException(null);
  }

  /** The tool answered, but not with a list. */
  private static final class UnusableListException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UnusableListException(@Nullable Throwable cause) {
      super(cause);
    }
  }

  private static ObjectNode declared(JsonNode input) {
    var answer = ExactJson.object();
    var options = answer.putArray("options");
    for (var value : input.path("enum")) {
      options.addObject().put("label", value.asText()).set("value", value);
    }
    return answer.put("multiple", false);
  }
}
