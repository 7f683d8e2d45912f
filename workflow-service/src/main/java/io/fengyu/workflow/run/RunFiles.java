package io.fengyu.workflow.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.workflow.WorkflowProblems;
import io.fengyu.workflow.json.ExactJson;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The files that go with a run, and the inputs that stand for them. An input whose value is {@code
 * @file:name} becomes the file of that name just before a tool is called.
 */
final class RunFiles {

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");
  private static final String FILE = "@file:";

  private final ArrayNode entries;
  private final Set<String> names = new LinkedHashSet<>();

  private RunFiles(ArrayNode entries) {
    this.entries = entries;
    entries.forEach(entry -> names.add(name(entry)));
  }

  /** Refuses entries without a usable name; what they point to is for the runtime to judge. */
  static RunFiles of(@Nullable JsonNode files) {
    if (files == null) {
      return new RunFiles(ExactJson.object().putArray("files"));
    }
    if (!(files instanceof ArrayNode list)) {
      throw WorkflowProblems.wrongType("/files", "array");
    }
    return new RunFiles(list.deepCopy());
  }

  /** Files and directories to send along. */
  ArrayNode entries() {
    return entries;
  }

  /** Sets inputs that were left to the host: given files, and directories made for each run. */
  ObjectNode fill(InputContract contract, JsonNode schema, ObjectNode given) {
    var inputs = given.deepCopy();
    names.stream()
        .filter(name -> contract.declares(name) && lacks(inputs, name))
        .forEach(name -> inputs.put(name, FILE + name));
    for (var property : schema.path("properties").properties()) {
      if ("shared-directory".equals(property.getValue().path("x-fengyu-auto").textValue())) {
        shareDirectory(property.getKey(), inputs);
      }
    }
    return inputs;
  }

  private void shareDirectory(String input, ObjectNode inputs) {
    // An input may have a name that a file may not have.
    var name = NAME.matcher(input).matches() ? input : "shared-" + (names.size() + 1);
    var wanted = lacks(inputs, input) || inputs.path(input).asText().equals(FILE + name);
    if (wanted && names.add(name)) {
      entries.addObject().put("name", name).put("createSharedDirectory", true);
      inputs.put(input, FILE + name);
    }
  }

  private static boolean lacks(ObjectNode inputs, String name) {
    return inputs.path(name).isMissingNode() || inputs.path(name).isNull();
  }

  private static String name(JsonNode entry) {
    if (!entry.isObject()) {
      throw WorkflowProblems.wrongType("/files", "array of objects");
    }
    var name = entry.path("name").asText("");
    if (!NAME.matcher(name).matches()) {
      throw WorkflowProblems.runFileInvalid(name, "name");
    }
    return name;
  }
}
