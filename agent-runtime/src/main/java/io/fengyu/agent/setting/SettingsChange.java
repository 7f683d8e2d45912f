package io.fengyu.agent.setting;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A change of some settings; null for what stays as it is.
 *
 * @param budget an object; an empty one takes the limits away
 */
record SettingsChange(
    @Nullable Boolean memoryEnabled,
    @Nullable Boolean computerUseEnabled,
    @Nullable Boolean unsandboxedPlugins,
    @Nullable String logLevel,
    @Nullable String theme,
    @Nullable String language,
    @Nullable ObjectNode budget) {

  private static final Map<String, Set<String>> WORDS =
      Map.of(
          "theme",
          Set.of("dark", "light", "system"),
          "language",
          Set.of("en", "zh", "zh-CN"),
          "logLevel",
          Set.of("ERROR", "WARN", "INFO", "DEBUG", "TRACE"));
  private static final Set<String> FLAGS =
      Set.of("memoryEnabled", "computerUseEnabled", "unsandboxedPlugins");

  /**
   * Reads a body.
   *
   * @throws io.fengyu.contract.problem.ProblemException 400 for what is no setting, or no value of
   *     it
   */
  static SettingsChange read(@Nullable JsonNode body) {
    if (!(body instanceof ObjectNode change)) {
      throw SettingProblems.invalid("", "an object");
    }
    for (var field : change.properties()) {
      check(field.getKey(), field.getValue());
    }
    return new SettingsChange(
        flag(change, "memoryEnabled"),
        flag(change, "computerUseEnabled"),
        flag(change, "unsandboxedPlugins"),
        change.path("logLevel").textValue(),
        change.path("theme").textValue(),
        change.path("language").textValue(),
        change.get("budget") instanceof ObjectNode budget ? budget : null);
  }

  /** True when it changes what is the same for everybody. */
  boolean ofDeployment() {
    return computerUseEnabled != null || unsandboxedPlugins != null || logLevel != null;
  }

  /** True when it changes what is the owner's own. */
  boolean ofOwner() {
    return memoryEnabled != null || theme != null || language != null || budget != null;
  }

  private static void check(String name, JsonNode value) {
    if (FLAGS.contains(name)) {
      expect(value.isBoolean(), name, "true or false");
    } else if (name.equals("budget")) {
      expect(value.isObject(), name, "an object");
    } else if (WORDS.containsKey(name)) {
      var words = WORDS.getOrDefault(name, Set.of());
      expect(
          value.isTextual() && words.contains(value.textValue()),
          name,
          String.join(", ", words.stream().sorted().toList()));
    } else {
      throw SettingProblems.unknown(name);
    }
  }

  private static void expect(boolean holds, String name, String expected) {
    if (!holds) {
      throw SettingProblems.invalid(name, expected);
    }
  }

  private static @Nullable Boolean flag(ObjectNode change, String name) {
    var value = change.get(name);
    return value == null ? null : value.booleanValue();
  }
}
