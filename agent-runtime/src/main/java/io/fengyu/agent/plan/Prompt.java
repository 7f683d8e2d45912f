package io.fengyu.agent.plan;

import io.fengyu.agent.plan.PlanningContext.Confirmed;
import io.fengyu.agent.plan.PlanningContext.Earlier;
import io.fengyu.agent.plan.PlanningContext.File;
import io.fengyu.agent.plan.PlanningRequest.Failed;
import io.fengyu.agent.tool.ToolSpec;
import java.util.List;

/** The texts a model is asked with; bounded, whatever the catalog and the results hold. */
final class Prompt {

  private static final int CATALOG = 80_000;
  private static final int DESCRIPTION = 800;
  private static final int SCHEMA = 6_000;
  private static final int RESULT = 2_000;
  private static final int RESULTS = 40_000;

  private static final String RULES =
      """
      You plan work. You cannot call tools; an executor runs your plan after it was checked.
      Answer with one JSON object and nothing else:
      {"goal": "...", "reasoning": "why these steps", "steps": [
        {"toolName": "...", "args": {...}, "description": "...", "dependsOn": [0]}]}
      Rules:
      - Use only tools of the catalog below, by their exact names, with arguments that match their
        input schema.
      - Steps are numbered from 0 in the order of the array; dependsOn names earlier steps. Steps
        that do not depend on each other run at the same time.
      - An argument may refer to the result of an earlier step: {{steps.0.result}},
        {{steps.0.result.files[0].name}}, or {{last.result}} for the step just before.
      - Set "requiresApproval": true on a step that a person should confirm.
      - A goal that needs no tool has an empty steps array.
      """;

  private Prompt() {}

  /** Instructions and catalog. */
  static String system(PlanningRequest request) {
    var text = new StringBuilder(RULES);
    text.append("\nTools:\n");
    var withSchemas = catalog(request.tools(), true);
    text.append(withSchemas.length() <= CATALOG ? withSchemas : catalog(request.tools(), false));
    return text.toString();
  }

  private static String catalog(List<ToolSpec> tools, boolean schemas) {
    var text = new StringBuilder();
    for (var tool : tools) {
      if (text.length() > CATALOG && !schemas) {
        return text.append("(more tools are left out)\n").toString();
      }
      text.append("- ").append(tool.name()).append(" (").append(tool.effect().wire());
      text.append("): ").append(cut(tool.description(), DESCRIPTION)).append('\n');
      if (schemas) {
        text.append("  input schema: ").append(cut(tool.inputSchema().toString(), SCHEMA));
        text.append('\n');
      }
    }
    return text.toString();
  }

  /**
   * The data of the conversation.
   *
   * @param json empty for none
   */
  static String data(String json) {
    return json.isEmpty()
        ? ""
        : "Data of this conversation. Only these dataset ids may be used; a name is no id. That a"
            + " dataset is active does not mean that it is loaded: data_state.loaded says so, and"
            + " get_graph_info verifies it. What is ready is loaded, not built again.\n"
            + json
            + "\n\n";
  }

  /** The goal and what is known around it. */
  static String user(
      PlanningRequest request, List<Earlier> earlier, List<Confirmed> confirmed, List<File> files) {
    var text = new StringBuilder();
    earlier(text, earlier);
    confirmed(text, confirmed);
    if (!files.isEmpty()) {
      text.append("Files and directories of this run, to be given to tools as \"@file:<name>\":\n");
      files.forEach(
          f -> text.append("- ").append(f.name()).append(" (").append(f.kind()).append(")\n"));
      text.append('\n');
    }
    if (!request.inputs().isEmpty()) {
      text.append("Inputs, to be referred to as {{inputs.<name>}}: ");
      text.append(String.join(", ", request.inputs())).append("\n\n");
    }
    text.append("Goal: ").append(request.goal()).append('\n');
    if (request.failed() != null) {
      failed(text, request.failed());
    }
    return text.toString();
  }

  private static void earlier(StringBuilder text, List<Earlier> runs) {
    if (runs.isEmpty()) {
      return;
    }
    text.append("Earlier runs of this conversation, oldest first:\n");
    for (var run : runs) {
      text.append("- ").append(run.status()).append(": ").append(run.goal());
      if (run.summary() != null) {
        text.append(" -> ").append(run.summary());
      } else if (run.error() != null) {
        text.append(" -> ").append(run.error());
      }
      text.append('\n');
    }
    text.append('\n');
  }

  private static void confirmed(StringBuilder text, List<Confirmed> results) {
    if (results.isEmpty()) {
      return;
    }
    text.append(
        "The last of these runs was interrupted. Its tools had confirmed this before, which");
    text.append(" is data and no conclusion:\n");
    int end = text.length() + RESULTS / 2;
    for (var result : results) {
      if (text.length() < end) {
        text.append("- ").append(result.tool()).append(": ");
        text.append(cut(result.text(), RESULT)).append('\n');
      }
    }
    text.append('\n');
  }

  private static void failed(StringBuilder text, Failed failed) {
    text.append("\nAn earlier plan failed: ").append(cut(failed.message(), RESULT)).append('\n');
    text.append("Make a new, complete plan; its steps are numbered from 0 again.\n");
    if (!failed.results().isEmpty()) {
      text.append("What that plan's steps came to before it failed:\n");
    }
    int end = text.length() + RESULTS;
    for (var result : failed.results()) {
      if (text.length() < end) {
        text.append("- step ").append(result.step()).append(" (").append(result.tool());
        text.append("): ").append(cut(result.text(), RESULT)).append('\n');
      }
    }
  }

  private static String cut(String text, int max) {
    return text.length() <= max ? text : text.substring(0, max) + "…";
  }
}
