package io.fengyu.agent.run;

import io.fengyu.agent.tool.Tool;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** What started a run; decides whether it may start others, and whether anybody can be asked. */
enum StartedBy {
  CALLER,
  /** One of several goals at once: it starts nothing else. */
  BATCH,
  /**
   * A tool call that was permitted: nobody can be asked inside, the permission covers its steps,
   * and it starts nothing else.
   */
  TOOL,
  /** A background task that nobody watches: its gates end by themselves after a while. */
  TASK,
  /** A background task that a permitted tool call started: that permission covers its steps. */
  GRANTED_TASK;

  private static final String WORKFLOW_TOOL = "run_workflow_";
  private static final Set<String> STARTING =
      Set.of("run_current_flow", "task_submit_workflow", "task_schedule");

  /** Lower-case word in the stored options. */
  String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  static StartedBy of(String wire) {
    return Stream.of(values()).filter(one -> one.wire().equals(wire)).findFirst().orElse(CALLER);
  }

  /** True when nobody is there to be asked for long. */
  boolean unattended() {
    return this == TASK || this == GRANTED_TASK;
  }

  /** True when the permission of the call around the run covers its steps. */
  boolean inherits() {
    return this == TOOL || this == GRANTED_TASK;
  }

  /** The tools of a catalog that such a run has. */
  Map<String, Tool> offered(Map<String, Tool> catalog) {
    if (this == CALLER || this == TASK || catalog.keySet().stream().noneMatch(StartedBy::starts)) {
      return catalog;
    }
    var offered = new LinkedHashMap<>(catalog);
    offered.keySet().removeIf(StartedBy::starts);
    return offered;
  }

  private static boolean starts(String tool) {
    return tool.startsWith(WORKFLOW_TOOL) || STARTING.contains(tool);
  }
}
