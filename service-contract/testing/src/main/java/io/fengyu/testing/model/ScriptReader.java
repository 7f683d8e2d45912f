package io.fengyu.testing.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads answers from JSON, for scripts that another process writes. An answer is an array of parts
 * ({@code {"text":["a","b"]}}, {@code {"thinking":[…]}}, {@code {"toolCall":{"id","name",
 * "arguments"}}}, {@code {"usage":[1,2]}}, {@code {"finish":"stop"}}, {@code {"await":"name"}},
 * {@code {"cut":true}}, {@code {"hang":true}}, {@code {"fail":["type","message"]}}, {@code
 * {"raw":"…"}}) or an object {@code {"status","type","message","headers"}} for an HTTP failure.
 */
final class ScriptReader {

  private static final Map<String, Signal> SIGNALS = new ConcurrentHashMap<>();

  private ScriptReader() {}

  static Signal signal(String name) {
    return SIGNALS.computeIfAbsent(name, unused -> new Signal());
  }

  static List<Answer> answers(JsonNode script) {
    var answers = new ArrayList<Answer>();
    script.forEach(answer -> answers.add(answer(answer)));
    return answers;
  }

  static Answer answer(JsonNode script) {
    return script.isArray() ? stream(script) : failure(script);
  }

  private static Answer failure(JsonNode script) {
    var answer =
        Answer.failing(
            script.path("status").asInt(500),
            script.path("type").asText("server_error"),
            script.path("message").asText("Scripted failure"));
    script
        .path("headers")
        .properties()
        .forEach(header -> answer.header(header.getKey(), header.getValue().asText()));
    return answer;
  }

  private static Answer stream(JsonNode parts) {
    var answer = Answer.stream();
    parts.forEach(
        part ->
            part.properties().forEach(member -> add(answer, member.getKey(), member.getValue())));
    return answer;
  }

  private static void add(Answer answer, String kind, JsonNode value) {
    switch (kind) {
      case "text" -> answer.text(strings(value));
      case "thinking" -> answer.thinking(strings(value));
      case "signature" -> answer.signature(value.asText());
      case "toolCall" -> toolCall(answer, value);
      case "toolFragment" -> toolFragment(answer, value);
      case "usage" -> answer.usage(value.path(0).asLong(), value.path(1).asLong());
      case "finish" -> answer.finish(value.asText());
      case "fail" -> answer.fail(value.path(0).asText(), value.path(1).asText());
      case "keepAlive" -> answer.keepAlive();
      case "raw" -> answer.raw(value.asText());
      case "await" -> answer.await(signal(value.asText()));
      case "cut" -> answer.cut();
      case "hang" -> answer.hang();
      case "pieces" -> answer.inPieces(value.asInt());
      default -> throw new IllegalArgumentException("No such part: " + kind);
    }
  }

  private static void toolCall(Answer answer, JsonNode call) {
    answer.toolCall(
        call.path("index").asInt(0),
        call.path("id").asText("call_1"),
        call.path("name").asText(),
        strings(call.path("arguments")));
  }

  private static void toolFragment(Answer answer, JsonNode fragment) {
    answer.toolFragment(
        fragment.hasNonNull("index") ? fragment.get("index").asInt() : null,
        text(fragment, "id"),
        text(fragment, "name"),
        text(fragment, "arguments"));
  }

  private static @Nullable String text(JsonNode node, String member) {
    return node.hasNonNull(member) ? node.get(member).asText() : null;
  }

  private static String[] strings(JsonNode value) {
    if (!value.isArray()) {
      return new String[] {value.isTextual() ? value.asText() : value.toString()};
    }
    var all = new String[value.size()];
    for (var at = 0; at < all.length; at++) {
      all[at] = value.get(at).asText();
    }
    return all;
  }
}
