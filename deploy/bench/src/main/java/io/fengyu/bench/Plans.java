package io.fengyu.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Plans whose steps do next to nothing, so that what is measured is the system. */
final class Plans {

  private static final ObjectMapper JSON = new ObjectMapper();

  private Plans() {}

  /** Steps that only read, each with the result of the one before when they are a chain. */
  static ObjectNode read(int steps, boolean chain) {
    var plan = JSON.createObjectNode();
    var list = plan.putArray("steps");
    for (int i = 0; i < steps; i++) {
      var args = list.addObject().put("toolName", "echo").putObject("args");
      args.put("n", chain && i > 0 ? "{{last.result.n}}" : "1");
    }
    return plan;
  }

  // Gives up a split that was never set up: declared as a change, but nothing to do.
  static ObjectNode effects(int steps) {
    return chain(steps, "excel_cancel", JSON.createObjectNode());
  }

  /** A chain of steps that write a small file. */
  static ObjectNode write(int steps) {
    var args = JSON.createObjectNode().put("path", "n.txt").put("content", "n");
    return chain(steps, "write_file", args);
  }

  private static ObjectNode chain(int steps, String tool, ObjectNode args) {
    var plan = JSON.createObjectNode();
    var list = plan.putArray("steps");
    for (int i = 0; i < steps; i++) {
      var step = list.addObject().put("toolName", tool);
      step.set("args", args);
      if (i > 0) {
        step.putArray("dependsOn").add(i - 1);
      }
    }
    return plan;
  }
}
