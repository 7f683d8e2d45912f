package io.fengyu.agent.hook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.fengyu.contract.outbound.TargetPolicy;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A hook as its owner wrote it, read.
 *
 * @param url null for one that runs a command
 * @param command null for one that posts
 */
public record HookDefinition(
    String name,
    HookEvent event,
    String matcher,
    @Nullable String command,
    @Nullable URI url,
    int timeoutSeconds,
    boolean enabled) {

  private static final int USUAL_SECONDS = 5;
  private static final int MOST_SECONDS = 60;
  private static final int LONGEST = 8_192;

  /**
   * Reads one definition.
   *
   * @throws io.fengyu.contract.problem.ProblemException 400 when it is none
   */
  static HookDefinition read(int index, JsonNode json) {
    if (!(json instanceof ObjectNode hook)) {
      throw HookProblems.invalid(index, "", "an object");
    }
    var event =
        HookEvent.of(text(index, hook, "event", ""))
            .orElseThrow(() -> HookProblems.invalid(index, "event", events()));
    var type = text(index, hook, "type", "command");
    if (!type.equals("command") && !type.equals("http")) {
      throw HookProblems.invalid(index, "type", "command or http");
    }
    boolean posts = type.equals("http");
    return new HookDefinition(
        name(index, hook),
        event,
        matcher(index, hook),
        posts ? null : required(index, hook, "command"),
        posts ? url(index, required(index, hook, "url")) : null,
        timeout(index, hook),
        enabled(index, hook));
  }

  private static String events() {
    return "pre_tool_use, post_tool_use, post_tool_use_failure, run_complete or run_error";
  }

  private static String name(int index, ObjectNode hook) {
    var name = text(index, hook, "name", "").strip();
    if (name.length() > 100) {
      throw HookProblems.invalid(index, "name", "at most 100 characters");
    }
    return name.isEmpty() ? "hook-" + (index + 1) : name;
  }

  private static String matcher(int index, ObjectNode hook) {
    var matcher = text(index, hook, "matcher", "");
    try {
      var unused = Pattern.compile(matcher);
      return matcher;
    } catch (PatternSyntaxException noPattern) {
      throw HookProblems.invalid(index, "matcher", "a regular expression");
    }
  }

  private static URI url(int index, String text) {
    try {
      var url = new URI(text);
      if (TargetPolicy.isHttp(url)) {
        return url;
      }
    } catch (URISyntaxException noAddress) {
      // Refused below, as any other address that is none of http.
    }
    throw HookProblems.invalid(index, "url", "an http or https address without credentials");
  }

  private static int timeout(int index, ObjectNode hook) {
    var value = hook.path("timeoutSeconds");
    if (value.isMissingNode() || value.isNull()) {
      return USUAL_SECONDS;
    }
    if (!value.isNumber()) {
      throw HookProblems.invalid(index, "timeoutSeconds", "a number");
    }
    return (int) Math.clamp(value.asDouble(), 1, MOST_SECONDS);
  }

  private static boolean enabled(int index, ObjectNode hook) {
    var value = hook.path("enabled");
    if (!value.isBoolean() && !value.isMissingNode() && !value.isNull()) {
      throw HookProblems.invalid(index, "enabled", "true or false");
    }
    return value.asBoolean(true);
  }

  private static String required(int index, ObjectNode hook, String field) {
    var text = text(index, hook, field, "");
    if (text.isBlank() || text.indexOf('\0') >= 0) {
      throw HookProblems.invalid(index, field, "a text that is not blank");
    }
    return text;
  }

  private static String text(int index, ObjectNode hook, String field, String otherwise) {
    var value = hook.path(field);
    if (value.isMissingNode() || value.isNull()) {
      return otherwise;
    }
    if (!value.isTextual() || value.textValue().length() > LONGEST) {
      throw HookProblems.invalid(index, field, "a text of at most " + LONGEST + " characters");
    }
    return value.textValue();
  }

  /** What is stored, and shown. */
  ObjectNode toJson() {
    var json = JsonNodeFactory.instance.objectNode();
    json.put("name", name);
    json.put("event", event.wire());
    json.put("matcher", matcher);
    json.put("type", command == null ? "http" : "command");
    if (command != null) {
      json.put("command", command);
    }
    if (url != null) {
      json.put("url", url.toString());
    }
    return json.put("timeoutSeconds", timeoutSeconds).put("enabled", enabled);
  }

  /** The hook, ready to be run. */
  Hook hook() {
    var action =
        url != null
            ? new Hook.Action.Http(url, false)
            : new Hook.Action.Command(String.valueOf(command), null, Map.of());
    return new Hook(
        name, event, Pattern.compile(matcher), action, Duration.ofSeconds(timeoutSeconds));
  }
}
