package io.fengyu.agent.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.file.RunFiles;
import io.fengyu.agent.guard.Guard;
import io.fengyu.agent.guard.RuleSet;
import io.fengyu.agent.journal.Change;
import io.fengyu.agent.journal.EventType;
import io.fengyu.agent.journal.RunStatus;
import io.fengyu.agent.tool.Tool;
import io.fengyu.agent.tool.ToolCall;
import io.fengyu.contract.plan.CompiledPlan;
import io.fengyu.contract.plan.PlanReader;
import io.smallrye.mutiny.Uni;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A run that is executed without a service around it: its tools and its journal are in memory. */
abstract class ExecutionScene {

  static final ObjectMapper JSON = new ObjectMapper();
  final UUID runId = UUID.randomUUID();
  final MemoryLog log = new MemoryLog(runId, 1);
  @Nullable RunExecution current;
  final Map<String, Tool> tools = new HashMap<>();
  final TestTool echo = add(TestTool.reading("echo", call -> call.args().toString()));
  final TestTool write = add(TestTool.writing("write", true, call -> "{\"ok\":true}"));
  ObjectNode inputs = JsonNodeFactory.instance.objectNode();
  ObjectNode config = json("{'permissionMode':'full-access'}");

  TestTool add(TestTool tool) {
    tools.put(tool.spec().name(), tool);
    return tool;
  }

  void run(String plan, ObjectNode with) {
    inputs = with;
    run(plan);
  }

  void run(String plan) {
    var work = work(plan, log);
    execution(work, RunState.fresh(work.plan(), inputs, tools), log).start();
  }

  void resume(String plan, MemoryLog to, java.util.function.Consumer<List<StepRun>> decided) {
    var work = work(plan, to);
    var runs = RunState.pending(work.plan());
    decided.accept(runs);
    execution(work, new RunState(work.plan(), inputs, tools, runs), to).resume();
  }

  RunExecution execution(RunWork work, RunState state, MemoryLog to) {
    current =
        new RunExecution(
            work, state, to, new Guard(owner -> RuleSet.NONE, () -> false), new NoFiles());
    return current;
  }

  RunWork work(String plan, MemoryLog to) {
    var read = PlanReader.read(json(plan));
    var goal = read.plan().goal();
    return new RunWork(
        runId,
        "alice",
        null,
        goal == null ? "" : goal,
        goal == null ? "" : goal,
        RunOptions.stored(config),
        CompiledPlan.of(read.plan()),
        read.plan().toJson(),
        read.problems(),
        inputs,
        tools,
        to.generation(),
        RunWork.Origin.fresh(runId));
  }

  void assertFailed(int index, String message) {
    var error = only(EventType.ERROR);
    assertThat(error.path("code").asText()).isEqualTo("STEP_FAILED");
    assertThat(error.path("index").asInt()).isEqualTo(index);
    assertThat(error.path("message").asText()).contains(message);
    assertThat(log.changes(Change.End.class).getFirst().status()).isEqualTo(RunStatus.FAILED);
  }

  ObjectNode only(EventType type) {
    assertThat(log.data(type)).hasSize(1);
    return log.data(type).getFirst();
  }

  static ObjectNode json(String text) {
    try {
      return (ObjectNode) JSON.readTree(text.replace("\\'", "\\\"").replace('\'', '"'));
    } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
      throw new AssertionError(e);
    }
  }

  /** A run without files. */
  static class NoFiles implements RunFiles {

    @Override
    public Uni<Void> grant(String owner, UUID run, @Nullable JsonNode files) {
      return Uni.createFrom().voidItem();
    }

    @Override
    public Uni<RunPlaces> open(String owner, UUID run, UUID home, @Nullable String sessionId) {
      return Uni.createFrom().item(new NoPlaces());
    }

    @Override
    public Optional<Change.Wrote> made(UUID run, int step, Path file) {
      return Optional.of(new Change.Wrote(step, file.toString(), file.toString(), 1));
    }

    @Override
    public Uni<Void> forget(UUID run) {
      return Uni.createFrom().voidItem();
    }
  }

  record NoPlaces() implements RunFiles.RunPlaces {

    @Override
    public Path workspace() {
      return Path.of("workspace");
    }

    @Override
    public Path outputDir(@Nullable String pluginId) {
      return Path.of("output");
    }

    @Override
    public Path state() {
      return Path.of("state");
    }

    @Override
    public ToolCall.Access access(@Nullable String pluginId) {
      return ToolCall.Access.NONE;
    }

    @Override
    public @Nullable Path granted(String name, @Nullable String pluginId) {
      return name.equals("book") ? Path.of("/granted/book.xlsx") : null;
    }
  }
}
