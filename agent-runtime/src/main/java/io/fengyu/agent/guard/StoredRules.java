package io.fengyu.agent.guard;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rules as they stand in the database. What isn't readable there counts as no rule, and is shown.
 *
 * @param rules those of the right shape; not each has to be one
 * @param invalid texts that are no rules, or the whole document when it is none
 */
record StoredRules(RuleTexts rules, List<String> invalid) {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int SHOWN = 200;

  static StoredRules read(@Nullable String document) {
    if (document == null) {
      return new StoredRules(RuleTexts.NONE, List.of());
    }
    try {
      if (JSON.readTree(document) instanceof ObjectNode lists) {
        return of(lists);
      }
    } catch (JsonProcessingException noJson) {
      // Told to the owner below, as any other text that is no rule.
    }
    return new StoredRules(RuleTexts.NONE, List.of(cut(document)));
  }

  private static StoredRules of(ObjectNode lists) {
    var invalid = new ArrayList<String>();
    var rules =
        new RuleTexts(
            valid(lists.path("allow"), invalid),
            valid(lists.path("ask"), invalid),
            valid(lists.path("deny"), invalid));
    return new StoredRules(rules, List.copyOf(invalid));
  }

  private static List<String> valid(JsonNode list, List<String> invalid) {
    var valid = new ArrayList<String>();
    if (!list.isArray() && !list.isMissingNode()) {
      invalid.add(cut(list.toString()));
    }
    for (var entry : list) {
      if (entry.isTextual() && RuleSyntax.read(entry.textValue()).isPresent()) {
        valid.add(entry.textValue());
      } else {
        invalid.add(cut(entry.isTextual() ? entry.textValue() : entry.toString()));
      }
    }
    return List.copyOf(valid);
  }

  private static String cut(String text) {
    return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…";
  }

  /** What is written to the database. */
  static String write(RuleTexts rules) {
    return JSON.valueToTree(rules).toString();
  }
}
