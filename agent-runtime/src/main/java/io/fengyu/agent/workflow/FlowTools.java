package io.fengyu.agent.workflow;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.tool.Tool;
import io.fengyu.agent.tool.ToolCall;
import io.fengyu.agent.tool.ToolSpec;
import io.fengyu.contract.client.InternalClient;
import io.fengyu.contract.client.Service;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Tools that exist for one turn only: looking at, judging and proposing changes to the canvas that
 * somebody has open, and running it when what is shown is what is stored. None of them writes.
 */
@ApplicationScoped
public class FlowTools {

  private static final Duration ANSWERED_WITHIN = Duration.ofSeconds(30);

  private final InternalClient client;
  private final WorkflowCalls calls;

  FlowTools(InternalClient client, WorkflowCalls calls) {
    this.client = client;
    this.calls = calls;
  }

  /** The canvas of a turn. */
  private record Flow(String workflowId, @Nullable JsonNode context, JsonNode tools) {

    ObjectNode body() {
      var body = JsonNodeFactory.instance.objectNode();
      if (context != null) {
        body.set("flowContext", context);
      }
      body.set("tools", tools);
      return body;
    }
  }

  /**
   * A catalog with the tools of a turn in it. Fails with 400 when the canvas does not fit the
   * workflow.
   *
   * @param context the live canvas; null when only the stored workflow is meant
   */
  public Uni<Map<String, Tool>> with(
      Map<String, Tool> catalog, String owner, String workflowId, @Nullable JsonNode context) {
    var flow = new Flow(workflowId, context, described(catalog.values()));
    return client
        .post(Service.WORKFLOW, path(workflowId, "binding"))
        .as(owner)
        .patient()
        .json(flow.body())
        .send()
        .map(answer -> extended(catalog, flow, answer.body()));
  }

  private Map<String, Tool> extended(Map<String, Tool> catalog, Flow flow, JsonNode binding) {
    var all = new LinkedHashMap<>(catalog);
    if (flow.context() != null) {
      FlowSpecs.AUTHORING.forEach(spec -> all.put(spec.name(), new Forwarded(spec, flow)));
    }
    if (binding.path("runnable").asBoolean(false)) {
      all.put(FlowSpecs.RUN, new RunCurrent(FlowSpecs.run(binding), flow.workflowId()));
    }
    return all;
  }

  private static JsonNode described(Collection<Tool> tools) {
    var list = JsonNodeFactory.instance.arrayNode(tools.size());
    for (var tool : tools) {
      var spec = tool.spec();
      var entry = list.addObject().put("name", spec.name()).put("description", spec.description());
      entry.set("inputSchema", spec.inputSchema());
      entry.set("outputSchema", spec.outputSchema());
      entry.set("flowNode", spec.flowNode());
    }
    return list;
  }

  private static String path(String workflowId, String tool) {
    var id = workflowId.replaceAll("[^A-Za-z0-9_-]", "");
    return "/internal/workflows/" + (id.isEmpty() ? "none" : id) + "/flow/" + tool;
  }

  /** Answered where canvases are compiled. */
  private final class Forwarded implements Tool {

    private final ToolSpec spec;
    private final Flow flow;

    Forwarded(ToolSpec spec, Flow flow) {
      this.spec = spec;
      this.flow = flow;
    }

    @Override
    public ToolSpec spec() {
      return spec;
    }

    @Override
    public String call(ToolCall call) {
      var body = flow.body();
      body.set("arguments", call.args());
      return client
          .post(Service.WORKFLOW, path(flow.workflowId(), spec.name()))
          .as(call.owner())
          .patient()
          .json(body)
          .send()
          .await()
          .atMost(ANSWERED_WITHIN)
          .body()
          .toString();
    }
  }

  /** Runs the workflow as it is stored. */
  private final class RunCurrent implements Tool {

    private final ToolSpec spec;
    private final String workflowId;

    RunCurrent(ToolSpec spec, String workflowId) {
      this.spec = spec;
      this.workflowId = workflowId;
    }

    @Override
    public ToolSpec spec() {
      return spec;
    }

    @Override
    public String call(ToolCall call) throws InterruptedException {
      return calls.draft(workflowId, call);
    }
  }
}
