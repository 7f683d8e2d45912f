package io.fengyu.scheduler.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.problem.ProblemException;
import io.fengyu.contract.sandbox.SandboxPosture;
import io.fengyu.scheduler.schedule.ScheduleStore.Draft;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Makes a schedule of a published workflow that may run while nobody watches.
 *
 * <p>Checks come in the order in which a person can do something about them: the workflow, the
 * timing, the number of schedules, publication and inputs, and last what would be asked.
 */
@ApplicationScoped
class CreateSchedule {

  private static final Pattern ID = Pattern.compile("[A-Za-z0-9_-]{1,64}");
  private static final String ASKING = "ask-for-approval";
  private static final Set<String> MODES = Set.of(ASKING, "approve-for-me", "full-access");

  private final ScheduledWorkflows workflows;
  private final TimingReader timings;
  private final ScheduleStore store;
  private final SandboxPosture posture;
  private final ScheduleConfig config;
  private final ObjectMapper json;

  CreateSchedule(
      ScheduledWorkflows workflows,
      TimingReader timings,
      ScheduleStore store,
      SandboxPosture posture,
      ScheduleConfig config,
      ObjectMapper json) {
    this.workflows = workflows;
    this.timings = timings;
    this.store = store;
    this.posture = posture;
    this.config = config;
    this.json = json;
  }

  Uni<JsonNode> create(String owner, JsonNode body) {
    var workflowId = workflowId(body.path("workflowId"));
    return workflows
        .unpublished(owner, workflowId)
        .map(Optional::ofNullable)
        .chain(
            refusal -> {
              var timing = timings.wish(body, "");
              return store
                  .active(owner)
                  .invoke(this::refuseFull)
                  .chain(() -> checked(owner, workflowId, timing, body, refusal.orElse(null)));
            });
  }

  private Uni<JsonNode> checked(
      String owner,
      String workflowId,
      TimingWish timing,
      JsonNode body,
      @Nullable ProblemException unpublished) {
    if (unpublished != null) {
      throw unpublished;
    }
    var inputs = inputs(body.path("inputs"));
    var mode = mode(body.path("permissionMode"));
    return workflows
        .foreseen(owner, workflowId, inputs, mode)
        .invoke(foreseen -> refuseAsking(mode, foreseen))
        .chain(() -> posture.weakened(owner))
        .map(weakened -> weakened ? Schedule.UNSANDBOXED : "sandboxed")
        .map(profile -> new Draft(owner, workflowId, timing, inputs.toString(), mode, profile))
        .chain(draft -> store.create(draft, config.maxActive()))
        .onItem()
        .ifNull()
        .failWith(() -> ScheduleProblems.limit(config.maxActive()))
        .map(schedule -> json.valueToTree(ScheduleSummary.of(schedule)));
  }

  private void refuseFull(int active) {
    if (active >= config.maxActive()) {
      throw ScheduleProblems.limit(config.maxActive());
    }
  }

  // Nobody is there to be asked; the other modes were chosen knowing that.
  private static void refuseAsking(String mode, JsonNode foreseen) {
    if (mode.equals(ASKING) && !foreseen.path("unattendedOk").asBoolean()) {
      throw ScheduleProblems.unattended(foreseen);
    }
  }

  private static String workflowId(JsonNode value) {
    if (!value.isTextual() || !ID.matcher(value.textValue()).matches()) {
      throw ScheduleProblems.field("/workflowId", "WRONG_TYPE", Map.of());
    }
    return value.textValue();
  }

  private static ObjectNode inputs(JsonNode value) {
    if (value.isMissingNode() || value.isNull()) {
      return JsonNodeFactory.instance.objectNode();
    }
    if (value instanceof ObjectNode object) {
      return object;
    }
    throw ScheduleProblems.field("/inputs", "WRONG_TYPE", Map.of());
  }

  private static String mode(JsonNode value) {
    if (value.isMissingNode() || value.isNull()) {
      return ASKING;
    }
    if (!value.isTextual() || !MODES.contains(value.textValue())) {
      throw ScheduleProblems.mode(value);
    }
    return value.textValue();
  }
}
