package io.fengyu.agent.plugin.archive;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.tool.Effect;
import io.fengyu.agent.tool.ToolSpec;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a package says about itself, checked.
 *
 * @param document as it was written, with parts that only clients look at
 * @param backend null for a package without a process
 * @param methods what its process understands, by name
 */
public record Manifest(
    ObjectNode document,
    String id,
    String name,
    String version,
    Set<String> permissions,
    @Nullable Backend backend,
    Map<String, Method> methods,
    List<DeclaredTool> tools) {

  private static final int USUAL_SECONDS = 60;

  /**
   * The process behind the tools.
   *
   * @param command program and arguments; empty for {@code backend/worker.jar}
   * @param callTimeoutSeconds 0 when it names none
   */
  public record Backend(List<String> command, int callTimeoutSeconds) {}

  /**
   * Something the process can be asked.
   *
   * @param inputSchema null when anything goes
   * @param outputSchema null when anything may come
   */
  public record Method(@Nullable ObjectNode inputSchema, @Nullable ObjectNode outputSchema) {}

  /**
   * A tool of the catalog.
   *
   * @param timeoutSeconds 0 when it names none
   * @param descriptions by language
   * @param flowNode its node on the canvas; null when none is declared
   * @param nodeTexts texts of the node by language
   */
  public record DeclaredTool(
      String name,
      String method,
      String description,
      Effect effect,
      boolean idempotent,
      int timeoutSeconds,
      ToolSpec.@Nullable Resources resources,
      Map<String, String> descriptions,
      @Nullable ObjectNode flowNode,
      Map<String, ObjectNode> nodeTexts) {}

  /** How long a call of a method may take: as its tool says, else its process, else a minute. */
  public int timeoutSeconds(int ofTool) {
    if (ofTool > 0) {
      return ofTool;
    }
    return backend == null || backend.callTimeoutSeconds == 0
        ? USUAL_SECONDS
        : backend.callTimeoutSeconds;
  }

  /** True when its process may use the network. */
  public boolean mayUseNetwork() {
    return permissions.contains("network");
  }
}
