package io.fengyu.workflow.tool;

import com.fasterxml.jackson.databind.JsonNode;
import io.fengyu.contract.client.InternalClient;
import io.fengyu.contract.client.Service;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.LinkedHashMap;
import java.util.Map;

/** Asks the runtime which tools an owner has right now. */
@ApplicationScoped
public class ToolDirectory {

  private final InternalClient client;

  ToolDirectory(InternalClient client) {
    this.client = client;
  }

  /**
   * The tools by name, each as the catalog shows it. Fails with 503 while the runtime does not
   * answer.
   */
  public Uni<Map<String, JsonNode>> of(String owner) {
    return client
        .get(Service.AGENT, "/api/agent/tools")
        .as(owner)
        .send()
        .map(answer -> byName(answer.body()));
  }

  /** Tools of a list, by name, in its order. */
  public static Map<String, JsonNode> byName(JsonNode tools) {
    var named = new LinkedHashMap<String, JsonNode>();
    tools.forEach(tool -> named.putIfAbsent(tool.path("name").asText(), tool));
    return named;
  }
}
