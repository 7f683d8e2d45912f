package io.fengyu.agent.hook;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import org.jspecify.annotations.Nullable;

/** What came of running a hook. */
sealed interface Outcome {

  /** It has nothing against it. */
  record Passed() implements Outcome {}

  /**
   * It is against it.
   *
   * @param reason null when it gave none
   */
  record Denied(@Nullable String reason) implements Outcome {}

  /** It did not do what a hook does; counts as nothing said. */
  record Failed(String why) implements Outcome {}

  ObjectMapper JSON = new ObjectMapper();
  int DENY = 2;

  /** Reads what a hook said and how it ended. */
  static Outcome of(int exitCode, String stdout, String stderr) {
    var said = said(stdout);
    var decision = said.path("decision").asText("");
    if (decision.equals("deny")) {
      return new Denied(line(said.path("reason").asText("")));
    }
    if (exitCode == DENY) {
      return new Denied(line(stderr));
    }
    if (decision.equals("allow")) {
      return new Passed();
    }
    if (!decision.isEmpty()) {
      return new Failed("the decision is not known");
    }
    return exitCode == 0 ? new Passed() : new Failed("exit code " + exitCode);
  }

  private static JsonNode said(String stdout) {
    if (!stdout.strip().startsWith("{")) {
      return MissingNode.getInstance();
    }
    try {
      return JSON.readTree(stdout);
    } catch (JsonProcessingException noJson) {
      return MissingNode.getInstance();
    }
  }

  private static @Nullable String line(String text) {
    return text.lines()
        .map(String::strip)
        .filter(each -> !each.isEmpty())
        .findFirst()
        .map(each -> each.length() <= 500 ? each : each.substring(0, 500) + "…")
        .orElse(null);
  }
}
