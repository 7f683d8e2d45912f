package io.fengyu.agent.toolbatch;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.fengyu.agent.tool.Effect;
import io.fengyu.agent.tool.Tool;
import io.fengyu.agent.tool.ToolCall;
import io.fengyu.agent.tool.ToolException;
import io.fengyu.agent.tool.ToolSpec;
import io.fengyu.agent.tool.ToolSpec.Resources;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** Tools that declare what they touch. */
final class BatchTools {

  static final List<ToolCall> CALLS = new CopyOnWriteArrayList<>();
  static final Semaphore DEAF = new Semaphore(0);

  private BatchTools() {}

  private static ToolSpec spec(String name, Effect effect, @Nullable Resources resources) {
    var schema = JsonNodeFactory.instance.objectNode().put("type", "object");
    return new ToolSpec(name, name, schema, null, effect, false, resources, name, null, "1", null);
  }

  /** Loads a dataset into the graph; fails when it is told to. */
  @Singleton
  static class Load implements Tool {

    @Override
    public ToolSpec spec() {
      return BatchTools.spec(
          "batch_load",
          Effect.WRITE,
          new Resources(List.of("dataset:{dataset_id}"), List.of("graph")));
    }

    @Override
    public String call(ToolCall call) throws ToolException {
      CALLS.add(call);
      if (call.args().path("fail").asBoolean()) {
        throw new ToolException("no such dataset");
      }
      return "{\"loaded\":true}";
    }
  }

  /** Looks at the graph. */
  @Singleton
  static class Degree implements Tool {

    @Override
    public ToolSpec spec() {
      return BatchTools.spec(
          "batch_degree", Effect.READ, new Resources(List.of("graph"), List.of()));
    }

    @Override
    public String call(ToolCall call) {
      CALLS.add(call);
      return "{\"degree\":3}";
    }
  }

  /** Takes half a minute, and may take no notice of being told to stop. */
  @Singleton
  static class Slow implements Tool {

    @Override
    public ToolSpec spec() {
      return BatchTools.spec("batch_slow", Effect.EXTERNAL, null);
    }

    @Override
    public String call(ToolCall call) throws InterruptedException {
      CALLS.add(call);
      if (call.args().path("deaf").asBoolean()) {
        DEAF.acquireUninterruptibly();
      } else {
        Thread.sleep(30_000);
      }
      return "late";
    }
  }
}
