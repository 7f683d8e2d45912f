package io.fengyu.agent.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.guard.PermissionMode;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The {@code config} of a run with its defaults filled in.
 *
 * @param requireStepApproval as it came: false, true or {@code "every"}
 * @param capabilityMode {@code read-only} or null
 * @param model null for the one in force
 * @param startedBy nobody outside can say it
 * @param dataOf the conversation whose data a run inside of a call may use; nobody outside can say
 *     it; null for the run's own
 */
record RunOptions(
    boolean requirePlanApproval,
    JsonNode requireStepApproval,
    boolean replanOnFailure,
    int maxReplans,
    PermissionMode permissionMode,
    @Nullable String capabilityMode,
    @Nullable String model,
    String reasoningMode,
    String planningMode,
    String outputFormat,
    Budget budget,
    StartedBy startedBy,
    @Nullable String dataOf) {

  private static final int MAX_REPLANS = 5;

  /**
   * Reads {@code config} and the four options that may also stand at the top of the body.
   *
   * @throws io.fengyu.contract.problem.ProblemException 400 for a value that doesn't exist
   */
  static RunOptions read(JsonNode body, boolean planSupplied) {
    var config = body.path("config");
    if (!config.isMissingNode() && !config.isNull() && !config.isObject()) {
      throw RunRefusals.config("config", "an object");
    }
    return new RunOptions(
        flag(config, "requirePlanApproval", !planSupplied),
        stepApproval(config),
        flag(config, "replanOnFailure", false),
        maxReplans(config),
        mode(config),
        capability(config),
        text(option(body, config, "model", "model"), "model"),
        word(body, "reasoning_mode", "reasoningMode", "direct", Set.of("direct", "staged")),
        word(body, "planning_mode", "planningMode", "always", Set.of("always", "auto", "never")),
        word(body, "output_format", "outputFormat", "chat", Set.of("chat", "report", "json")),
        Budget.read(config.path("budget")),
        StartedBy.CALLER,
        null);
  }

  /** Reads what {@link #toJson} wrote. */
  static RunOptions stored(ObjectNode config) {
    return read(JsonNodeFactory.instance.objectNode().set("config", config), true)
        .startedBy(StartedBy.of(config.path("startedBy").asText("")))
        .dataOf(config.path("dataOf").textValue());
  }

  /** The same, held to the data of a conversation that is not its own. */
  RunOptions dataOf(@Nullable String session) {
    return new RunOptions(
        requirePlanApproval,
        requireStepApproval,
        replanOnFailure,
        maxReplans,
        permissionMode,
        capabilityMode,
        model,
        reasoningMode,
        planningMode,
        outputFormat,
        budget,
        startedBy,
        session);
  }

  /** The same for a run that something else than a caller started. */
  RunOptions startedBy(StartedBy starter) {
    return new RunOptions(
        requirePlanApproval,
        requireStepApproval,
        replanOnFailure,
        maxReplans,
        permissionMode,
        capabilityMode,
        model,
        reasoningMode,
        planningMode,
        outputFormat,
        budget,
        starter,
        dataOf);
  }

  /** What the run's detail shows. */
  ObjectNode toJson() {
    var json = JsonNodeFactory.instance.objectNode();
    json.put("requirePlanApproval", requirePlanApproval);
    json.set("requireStepApproval", requireStepApproval);
    json.put("replanOnFailure", replanOnFailure);
    json.put("maxReplans", maxReplans);
    json.put("permissionMode", permissionMode.wire());
    json.put("capabilityMode", capabilityMode);
    json.put("model", model);
    json.put("reasoning_mode", reasoningMode);
    json.put("planning_mode", planningMode);
    json.put("output_format", outputFormat);
    var limits = budget.toJson();
    if (limits != null) {
      json.set("budget", limits);
    }
    if (startedBy != StartedBy.CALLER) {
      json.put("startedBy", startedBy.wire());
    }
    if (dataOf != null) {
      json.put("dataOf", dataOf);
    }
    return json;
  }

  /** The same, with these limits where it has none. */
  RunOptions within(Budget limits) {
    return new RunOptions(
        requirePlanApproval,
        requireStepApproval,
        replanOnFailure,
        maxReplans,
        permissionMode,
        capabilityMode,
        model,
        reasoningMode,
        planningMode,
        outputFormat,
        budget.or(limits),
        startedBy,
        dataOf);
  }

  /** True when a goal is planned before anything is done for it. */
  boolean plansFirst() {
    return planningMode.equals("always");
  }

  /** True when a plan's results are put into words at the end. */
  boolean lastWordIsTheModels() {
    return !outputFormat.equals("chat");
  }

  /** True when a stage of reasoning comes before the plan, or before the work itself. */
  boolean staged() {
    return reasoningMode.equals("staged");
  }

  /** How often the run may be planned again. */
  int replans() {
    return replanOnFailure ? maxReplans : 0;
  }

  boolean readOnly() {
    return capabilityMode != null;
  }

  /** True when the permission of the call around the run covers its steps. */
  boolean inherits() {
    return startedBy.inherits();
  }

  /** True when a step pauses although the guard would let it through. */
  boolean pausesAt(boolean flagged) {
    return !inherits()
        && permissionMode != PermissionMode.FULL_ACCESS
        && (flagged || requireStepApproval.isTextual());
  }

  private static JsonNode stepApproval(JsonNode config) {
    var value = config.path("requireStepApproval");
    if (absent(value)) {
      return JsonNodeFactory.instance.booleanNode(false);
    }
    if (value.isBoolean() || (value.isTextual() && value.textValue().equals("every"))) {
      return value;
    }
    throw RunRefusals.config("requireStepApproval", "true, false or \"every\"");
  }

  private static int maxReplans(JsonNode config) {
    var value = config.path("maxReplans");
    if (absent(value)) {
      return 0;
    }
    if (!value.isInt() || value.intValue() < 0 || value.intValue() > MAX_REPLANS) {
      throw RunRefusals.config("maxReplans", "0 to " + MAX_REPLANS);
    }
    return value.intValue();
  }

  private static PermissionMode mode(JsonNode config) {
    var value = config.path("permissionMode");
    if (absent(value)) {
      return PermissionMode.ASK_FOR_APPROVAL;
    }
    return PermissionMode.of(value.asText())
        .orElseThrow(() -> RunRefusals.permissionMode(value.asText()));
  }

  private static @Nullable String capability(JsonNode config) {
    var value = config.path("capabilityMode");
    if (absent(value)) {
      return null;
    }
    if (!value.isTextual() || !value.textValue().equals("read-only")) {
      throw RunRefusals.config("capabilityMode", "\"read-only\"");
    }
    return "read-only";
  }

  private static String word(
      JsonNode body, String name, String alias, String otherwise, Set<String> allowed) {
    var value = option(body, body.path("config"), name, alias);
    if (absent(value)) {
      return otherwise;
    }
    if (!value.isTextual() || !allowed.contains(value.textValue())) {
      throw RunRefusals.config(name, String.join(", ", allowed.stream().sorted().toList()));
    }
    return value.textValue();
  }

  private static JsonNode option(JsonNode body, JsonNode config, String name, String alias) {
    return Json.first(config.path(name), config.path(alias), body.path(name), body.path(alias));
  }

  private static @Nullable String text(JsonNode value, String name) {
    if (absent(value)) {
      return null;
    }
    if (!value.isTextual()) {
      throw RunRefusals.config(name, "a string");
    }
    return value.textValue();
  }

  private static boolean flag(JsonNode config, String name, boolean otherwise) {
    var value = config.path(name);
    if (absent(value)) {
      return otherwise;
    }
    if (!value.isBoolean()) {
      throw RunRefusals.config(name, "true or false");
    }
    return value.booleanValue();
  }

  private static boolean absent(JsonNode value) {
    return Json.absent(value);
  }
}
