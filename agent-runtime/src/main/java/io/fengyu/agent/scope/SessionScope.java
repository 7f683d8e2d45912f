package io.fengyu.agent.scope;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The data of a conversation, as a trusted service has told it.
 *
 * @param sources saved data that came with the message
 * @param constructed data that can be loaded
 */
record SessionScope(ArrayNode sources, ArrayNode constructed) {

  private static final String SOURCES = "construction_sources";
  private static final String CONSTRUCTED = "available_constructed_datasets";
  private static final int MOST = 1_000;
  private static final int LONGEST_ID = 200;
  private static final int LONGEST = 256 * 1024;
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * Reads a body.
   *
   * @throws io.fengyu.contract.problem.ProblemException 400 naming the member that is wrong
   */
  static SessionScope read(@Nullable JsonNode body) {
    if (!(body instanceof ObjectNode object)) {
      throw ScopeProblems.invalid("", "an object");
    }
    var scope = new SessionScope(entries(object, SOURCES), entries(object, CONSTRUCTED));
    if (scope.json().toString().length() > LONGEST) {
      throw ScopeProblems.invalid("", "at most " + LONGEST + " characters");
    }
    return scope;
  }

  private static ArrayNode entries(ObjectNode body, String field) {
    var value = body.path(field);
    if (value.isMissingNode() || value.isNull()) {
      return JSON.createArrayNode();
    }
    if (!(value instanceof ArrayNode array) || array.size() > MOST) {
      throw ScopeProblems.invalid(field, "an array of at most " + MOST + " datasets");
    }
    for (int i = 0; i < array.size(); i++) {
      if (id(array.get(i)) == null) {
        throw ScopeProblems.invalid(
            field + "[" + i + "]", "an id, or an object whose dataset_id is one");
      }
    }
    return array;
  }

  // A name is never an id: only what is called one counts.
  private static @Nullable String id(JsonNode entry) {
    var id = entry.isObject() ? entry.path("dataset_id") : entry;
    boolean named = id.isTextual() || id.isIntegralNumber();
    return named && !id.asText().isBlank() && id.asText().length() <= LONGEST_ID
        ? id.asText()
        : null;
  }

  static SessionScope stored(JsonNode stored) {
    return new SessionScope(stored.withArray(SOURCES), stored.withArray(CONSTRUCTED));
  }

  ObjectNode json() {
    var json = JSON.createObjectNode();
    json.set(SOURCES, sources);
    json.set(CONSTRUCTED, constructed);
    return json;
  }

  /** What calls may name. */
  Set<String> ids() {
    var ids = new LinkedHashSet<String>();
    sources.forEach(entry -> ids.add(String.valueOf(id(entry))));
    constructed.forEach(entry -> ids.add(String.valueOf(id(entry))));
    return ids;
  }
}
