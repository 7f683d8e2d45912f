package io.fengyu.agent.tool.workspace;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.tool.Declaration;
import io.fengyu.agent.tool.Declaration.Field;
import io.fengyu.agent.tool.Effect;
import io.fengyu.agent.tool.SafeName;
import io.fengyu.agent.tool.ToolArgs;
import io.fengyu.agent.tool.ToolCall;
import io.fengyu.agent.tool.ToolException;
import io.fengyu.agent.tool.workspace.Areas.Area;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.List;

/** Sets up what the conversation's commands find. */
@Singleton
class WorkspaceEnvironment extends WorkspaceTool {

  private static final int LONGEST_SCRIPT = 256 * 1024;

  WorkspaceEnvironment() {
    super(
        Declaration.of(
                "workspace_environment",
                "Manages what commands of workspace_run find: list shows it, set and unset change"
                    + " a variable, install puts a script on the search path of commands, remove"
                    + " takes it away. Commands can't change it themselves.")
            .effect(Effect.WRITE)
            .resources(List.of(), List.of("workspace"))
            .label("Manage environment")
            .in(
                Field.required("action", "string", "What to do.")
                    .oneOf("list", "set", "unset", "install", "remove"),
                Field.optional("name", "string", "Name of the variable or script."),
                Field.optional("value", "string", "Value of the variable."),
                Field.optional("content", "string", "The script; begins with #!."))
            .out(
                Field.required("variables", "object", "Names and values."),
                Field.required("programs", "array", "Names of the scripts.").ofType("string"))
            .spec());
  }

  @Override
  ObjectNode answer(ToolCall call, ToolArgs args, Workspace workspace)
      throws ToolException, IOException {
    var environment = SessionEnvironment.of(call);
    switch (args.text("action")) {
      case "list" -> {
        // Shown below, as after every change.
      }
      case "set" -> environment.set(args.text("name"), args.anyText("value"));
      case "unset" -> environment.unset(args.text("name"));
      case "install" -> environment.install(program(args), script(args));
      case "remove" -> {
        if (!environment.remove(program(args))) {
          throw new ToolException("there is no program of that name");
        }
      }
      default ->
          throw new ToolException("argument 'action' must be list, set, unset, install or remove");
    }
    return shown(call, environment);
  }

  private static String program(ToolArgs args) throws ToolException {
    var name = args.text("name");
    if (!SafeName.of(name).equals(name)) {
      throw new ToolException("argument 'name' must be a plain file name");
    }
    return name;
  }

  private static String script(ToolArgs args) throws ToolException {
    var script = args.text("content");
    if (script.length() > LONGEST_SCRIPT || !script.startsWith("#!")) {
      throw new ToolException("argument 'content' must begin with #! and be at most 256 KiB long");
    }
    return script;
  }

  private static ObjectNode shown(ToolCall call, SessionEnvironment environment)
      throws IOException {
    var variables = environment.variables();
    var result = success(variables.size() + " variable(s) are set.");
    var values = result.putObject("variables");
    variables.forEach(values::put);
    var programs = result.putArray("programs");
    AreaFiles.of(Areas.of(call), List.of(Area.ENVIRONMENT)).files().stream()
        .filter(file -> file.path().startsWith("bin/"))
        .forEach(file -> programs.add(file.path().substring("bin/".length())));
    return result;
  }
}
