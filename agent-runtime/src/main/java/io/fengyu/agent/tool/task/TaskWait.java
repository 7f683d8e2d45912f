package io.fengyu.agent.tool.task;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.fengyu.agent.tool.Declaration;
import io.fengyu.agent.tool.Declaration.Field;
import io.fengyu.agent.tool.Effect;
import io.fengyu.agent.tool.Tool;
import io.fengyu.agent.tool.ToolArgs;
import io.fengyu.agent.tool.ToolCall;
import io.fengyu.agent.tool.ToolException;
import io.fengyu.agent.tool.ToolSpec;
import jakarta.inject.Singleton;
import java.util.List;

/** Waits for the ends of several tasks. */
@Singleton
class TaskWait implements Tool {

  private static final int MOST = 20;
  private static final int USUAL_MS = 30_000;
  private static final int LONGEST_MS = 120_000;
  private static final long PIECE_MS = 20_000;

  private static final ToolSpec SPEC =
      Declaration.of(
              "task_wait",
              "Waits until one or all of up to 20 background tasks have ended, or the time is up, and"
                  + " returns them as they are then, in the given order.")
          .effect(Effect.READ)
          .resources(List.of(), List.of())
          .label("Wait for tasks")
          .in(
              Field.required("ids", "array", "Ids of 1 to 20 tasks.").ofType("string"),
              Field.optional("mode", "string", "Whether one end is enough; all by default.")
                  .oneOf("any", "all"),
              Field.optional("timeoutMs", "integer", "How long, in milliseconds.")
                  .between(0, LONGEST_MS)
                  .byDefault(JsonNodeFactory.instance.numberNode(USUAL_MS)))
          .spec();

  private final TaskService tasks;

  TaskWait(TaskService tasks) {
    this.tasks = tasks;
  }

  @Override
  public ToolSpec spec() {
    return SPEC;
  }

  @Override
  public String call(ToolCall call) throws ToolException, InterruptedException {
    var ids = call.args().path("ids");
    if (!ids.isArray() || ids.isEmpty() || ids.size() > MOST) {
      throw new ToolException("argument 'ids' must be 1 to " + MOST + " ids of tasks");
    }
    var mode = call.args().path("mode").asText("all");
    if (!mode.equals("any") && !mode.equals("all")) {
      throw new ToolException("argument 'mode' must be any or all");
    }
    long ms = ToolArgs.of(call).integer("timeoutMs", USUAL_MS, 0, Integer.MAX_VALUE);
    return await(tasks, call, ids, mode, Math.min(ms, LONGEST_MS)).toString();
  }

  /** In pieces, so that a stop of the call is noticed between them. */
  static JsonNode await(TaskService tasks, ToolCall call, JsonNode ids, String mode, long ms)
      throws InterruptedException {
    long deadline = System.nanoTime() + ms * 1_000_000;
    while (true) {
      if (call.cancelled().getAsBoolean()) {
        throw new InterruptedException("cancelled while waiting");
      }
      long left = Math.max(0, (deadline - System.nanoTime()) / 1_000_000);
      var found = tasks.await(call, ids, mode, Math.min(left, PIECE_MS));
      if (left <= PIECE_MS || enough(found, mode)) {
        return found;
      }
    }
  }

  private static boolean enough(JsonNode found, String mode) {
    int known = 0;
    int over = 0;
    for (var task : found) {
      known += task.has("status") ? 1 : 0;
      over += task.has("completedAt") ? 1 : 0;
    }
    return mode.equals("any") ? known == 0 || over > 0 : over == known;
  }
}
