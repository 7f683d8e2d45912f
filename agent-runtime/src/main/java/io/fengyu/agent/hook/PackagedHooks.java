package io.fengyu.agent.hook;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.problem.ProblemException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The hooks that a package brings, in either of two forms: the flat list that owners write, or
 * groups by event. What can't be used is left out with a warning.
 *
 * @param warnings what was left out, and why
 */
public record PackagedHooks(List<HookDefinition> all, List<String> warnings) {

  /** Hooks of one package, and of all packages that are trusted. */
  public static final int MOST = 50;

  /** No hooks. */
  public static final PackagedHooks NONE = new PackagedHooks(List.of(), List.of());

  private static final ObjectMapper JSON = new ObjectMapper();

  /** Reads a file of hooks; empty when it is none at all. */
  public static Optional<PackagedHooks> read(String text) {
    try {
      var flat = flat(JSON.readTree(text));
      return flat == null ? Optional.empty() : Optional.of(checked(flat));
    } catch (JsonProcessingException noJson) {
      return Optional.empty();
    }
  }

  private static PackagedHooks checked(ArrayNode flat) {
    var all = new ArrayList<HookDefinition>();
    var warnings = new ArrayList<String>();
    for (int i = 0; i < flat.size(); i++) {
      if (all.size() == MOST) {
        warnings.add("only the first " + MOST + " hooks are used");
        break;
      }
      one(i, flat.get(i), all, warnings);
    }
    return new PackagedHooks(List.copyOf(all), List.copyOf(warnings));
  }

  private static void one(
      int index, JsonNode json, List<HookDefinition> all, List<String> warnings) {
    try {
      var hook = HookDefinition.read(index, json);
      var url = hook.url();
      if (url != null && !"https".equalsIgnoreCase(url.getScheme())) {
        warnings.add("hook " + (index + 1) + " is left out: its address must be https");
        return;
      }
      all.add(hook);
    } catch (ProblemException unusable) {
      var params = unusable.problem().params();
      warnings.add(
          "hook %d is left out: its %s must be %s"
              .formatted(index + 1, params.get("field"), params.get("expected")));
    }
  }

  private static @Nullable ArrayNode flat(JsonNode file) {
    if (file instanceof ArrayNode list) {
      return list;
    }
    var hooks = file.path("hooks");
    if (hooks instanceof ArrayNode list) {
      return list;
    }
    return hooks instanceof ObjectNode groups ? flattened(groups) : null;
  }

  /** {@code {"PreToolUse":[{"matcher":"…","hooks":[{"type":"command",…,"timeout":5}]}]}}. */
  private static ArrayNode flattened(ObjectNode groups) {
    var flat = JsonNodeFactory.instance.arrayNode();
    for (var group : groups.properties()) {
      for (var entry : group.getValue()) {
        for (var hook : entry.path("hooks")) {
          flat.add(flattened(group.getKey(), entry, hook));
        }
      }
    }
    return flat;
  }

  private static JsonNode flattened(String event, JsonNode entry, JsonNode hook) {
    if (!(hook instanceof ObjectNode definition)) {
      return hook;
    }
    var one = definition.deepCopy().put("event", event);
    if (entry.has("matcher")) {
      one.set("matcher", entry.get("matcher"));
    }
    if (one.has("timeout") && !one.has("timeoutSeconds")) {
      one.set("timeoutSeconds", one.get("timeout"));
    }
    return one;
  }

  /** As they are shown. */
  public ArrayNode shown() {
    return HookDefinitions.write(all);
  }

  /**
   * The hooks, ready to be run.
   *
   * @param owner begins their names
   * @param directory where commands run
   * @param commands false to leave commands out
   */
  public List<Hook> hooks(
      String owner, Path directory, Map<String, String> environment, boolean commands) {
    return all.stream()
        .filter(HookDefinition::enabled)
        .filter(hook -> commands || hook.command() == null)
        .map(hook -> hook(owner + "/" + hook.name(), hook, directory, environment))
        .toList();
  }

  private static Hook hook(
      String name, HookDefinition of, Path directory, Map<String, String> environment) {
    var url = of.url();
    var action =
        url == null
            ? new Hook.Action.Command(String.valueOf(of.command()), directory, environment)
            : new Hook.Action.Http(url, true);
    var plain = of.hook();
    return new Hook(name, plain.event(), plain.matcher(), action, plain.timeout());
  }
}
