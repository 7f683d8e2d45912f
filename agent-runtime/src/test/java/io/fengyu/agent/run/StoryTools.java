package io.fengyu.agent.run;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.fengyu.agent.model.ModelCalls;
import io.fengyu.agent.tool.Branches;
import io.fengyu.agent.tool.Effect;
import io.fengyu.agent.tool.Tool;
import io.fengyu.agent.tool.ToolCall;
import io.fengyu.agent.tool.ToolSpec;
import io.fengyu.contract.model.ModelStreamRequest;
import io.fengyu.contract.model.ModelTurn;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;

/** Tools that exist in tests only, and the memory of their calls. */
final class StoryTools {

  private static final List<ToolCall> CALLS = new CopyOnWriteArrayList<>();

  private StoryTools() {}

  /** Calls that a run made, in order. */
  static List<ToolCall> calls(String runId) {
    return CALLS.stream().filter(call -> runId.equals(String.valueOf(call.runId()))).toList();
  }

  private static ToolSpec spec(String name, Effect effect) {
    var schema = JsonNodeFactory.instance.objectNode().put("type", "object");
    return new ToolSpec(name, name, schema, null, effect, false, null, name, null, "1", null);
  }

  private static String note(ToolCall call) {
    CALLS.add(call);
    return call.args().toString();
  }

  /** Changes something, harmlessly. */
  @Singleton
  static class Note implements Tool {

    @Override
    public ToolSpec spec() {
      return StoryTools.spec("test_note", Effect.WRITE);
    }

    @Override
    public String call(ToolCall call) {
      return note(call);
    }
  }

  /** Acts on the outside and takes half a minute. */
  @Singleton
  static class Slow implements Tool {

    @Override
    public ToolSpec spec() {
      return StoryTools.spec("test_slow", Effect.EXTERNAL);
    }

    @Override
    public String call(ToolCall call) throws InterruptedException {
      note(call);
      Thread.sleep(30_000);
      return "late";
    }
  }

  /** May be called twice; the first call of a run loses its connection. */
  @Singleton
  static class Lossy implements Tool {

    @Override
    public ToolSpec spec() {
      var schema = JsonNodeFactory.instance.objectNode().put("type", "object");
      return new ToolSpec(
          "test_lossy",
          "test_lossy",
          schema,
          null,
          Effect.WRITE,
          true,
          null,
          "test_lossy",
          null,
          "1",
          null);
    }

    @Override
    public String call(ToolCall call) throws IOException {
      note(call);
      if (calls(String.valueOf(call.runId())).size() == 1) {
        throw new IOException("connection lost");
      }
      return "sent";
    }
  }

  /** Asks a model, as a tool that needs one does. */
  @Singleton
  static class Ask implements Tool {

    private final ModelCalls models;

    Ask(ModelCalls models) {
      this.models = models;
    }

    @Override
    public ToolSpec spec() {
      return StoryTools.spec("test_ask", Effect.READ);
    }

    @Override
    public String call(ToolCall call) throws Exception {
      note(call);
      var request =
          ModelStreamRequest.withoutTools(
              null, "", List.of(ModelStreamRequest.Message.user("well?")), false);
      var runId = java.util.Objects.requireNonNull(call.runId());
      var question = models.question(runId, call.owner(), request);
      var branch = call.branches().begin(Branches.Kind.MODEL, "of-a-tool");
      try {
        var turn = models.ask(question, Duration.ofMinutes(1), event -> {});
        return ModelTurn.text(turn.blocks());
      } finally {
        branch.close();
      }
    }
  }

  private static final Semaphore NOISE = new Semaphore(0);

  /** Lets a call of the tool that does not listen come to its end. */
  static void wakeTheDeaf() {
    NOISE.release();
  }

  /** Acts on the outside and takes no notice of being told to stop. */
  @Singleton
  static class Deaf implements Tool {

    @Override
    public ToolSpec spec() {
      return StoryTools.spec("test_deaf", Effect.EXTERNAL);
    }

    @Override
    public String call(ToolCall call) {
      note(call);
      NOISE.acquireUninterruptibly();
      return "late";
    }
  }
}
