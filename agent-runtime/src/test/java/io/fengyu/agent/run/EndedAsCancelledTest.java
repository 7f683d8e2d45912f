package io.fengyu.agent.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.guard.HookGate;
import io.fengyu.agent.guard.Subject;
import io.fengyu.agent.guard.Verdict;
import io.fengyu.agent.tool.ToolSpec;
import io.fengyu.contract.plan.CompiledPlan;
import io.fengyu.contract.plan.PlanReader;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class EndedAsCancelledTest {

  private final List<String> told = new ArrayList<>();
  private final UUID runId = UUID.randomUUID();

  private final HookGate hooks =
      new HookGate() {
        @Override
        public @Nullable Verdict before(Subject subject, ToolSpec tool, ObjectNode args) {
          return null;
        }

        @Override
        public void after(
            Subject subject, ToolSpec tool, ObjectNode args, boolean success, String result) {}

        @Override
        public void runEnded(
            String owner, UUID run, String goal, boolean completed, String result) {
          told.add(completed + " " + result);
        }

        @Override
        public List<String> names(String owner, Collection<String> tools) {
          return List.of();
        }
      };

  private static ObjectNode plan() {
    var plan = JsonNodeFactory.instance.objectNode().put("goal", "rest");
    plan.putArray("steps");
    return plan;
  }

  private void completes(boolean asCancelled) {
    var log =
        new MemoryLog(runId, 1) {
          @Override
          public boolean endedAsCancelled() {
            return asCancelled;
          }
        };
    var plan = PlanReader.read(plan());
    var work =
        new RunWork(
            runId,
            "alice",
            null,
            "rest",
            "rest",
            RunOptions.stored(JsonNodeFactory.instance.objectNode()),
            CompiledPlan.of(plan.plan()),
            plan.plan().toJson(),
            List.of(),
            JsonNodeFactory.instance.objectNode(),
            Map.of(),
            1,
            RunWork.Origin.fresh(runId));
    var state = RunState.fresh(work.plan(), work.inputs(), Map.of());
    var scope =
        new RunScope(
            work,
            state,
            new RunWriter(log),
            new Admission(new StopFlag()),
            new RunHooks(hooks, work));
    new RunEnds(scope).complete();
  }

  @Test
  void hooksHearOfTheEndThatWasStored() {
    completes(true);
    assertThat(told).containsExactly("false CANCELLED");
    told.clear();

    completes(false);
    assertThat(told).hasSize(1);
    assertThat(told.getFirst()).startsWith("true 0 steps done");
  }
}
