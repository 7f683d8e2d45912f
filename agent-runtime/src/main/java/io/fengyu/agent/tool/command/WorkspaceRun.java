package io.fengyu.agent.tool.command;

import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.process.Children;
import io.fengyu.agent.process.CleanEnvironment;
import io.fengyu.agent.tool.Declaration;
import io.fengyu.agent.tool.Declaration.Field;
import io.fengyu.agent.tool.Effect;
import io.fengyu.agent.tool.Tool;
import io.fengyu.agent.tool.ToolArgs;
import io.fengyu.agent.tool.ToolCall;
import io.fengyu.agent.tool.ToolException;
import io.fengyu.agent.tool.ToolSpec;
import io.fengyu.agent.tool.command.Sandbox.Backend;
import io.fengyu.agent.tool.command.Sandbox.Seen;
import io.fengyu.agent.tool.workspace.Areas;
import io.fengyu.agent.tool.workspace.Areas.Area;
import io.fengyu.agent.tool.workspace.SessionEnvironment;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Runs a command in the workspace of a conversation, always in a sandbox: it reads all areas and
 * writes the ephemeral one.
 */
@Singleton
class WorkspaceRun implements Tool {

  private static final int USUAL_SECONDS = 60;
  private static final int MOST_SECONDS = 600;
  private static final int OUTPUT_CHARS = 65_536;

  private static final ToolSpec SPEC =
      Declaration.of(
              "workspace_run",
              "Runs a command with /bin/sh in the ephemeral area of the conversation's workspace,"
                  + " without network. $UPLOADED, $DERIVED and $ENVIRONMENT name the other areas,"
                  + " which it can read only. Results are kept with workspace_publish.")
          .effect(Effect.COMMAND)
          .label("Run in workspace")
          .in(
              Field.required("command", "string", "The command line."),
              Field.optional("timeoutSeconds", "integer", "Ended after so long.")
                  .between(1, MOST_SECONDS)
                  .byDefault(IntNode.valueOf(USUAL_SECONDS)))
          .out(
              Field.required("success", "boolean", "True for exit code 0 in time."),
              Field.required("exitCode", "integer", "Null when it was ended for its time."),
              Field.required("timedOut", "boolean", "True when it was ended for its time."),
              Field.required("stdout", "string", "What it wrote."),
              Field.required("stderr", "string", "What it complained about."),
              Field.required("truncated", "boolean", "True when either stream is cut."))
          .spec();

  private final Children children;
  private final Sandbox sandbox;
  private final Limits limits;
  private final Clock clock;

  WorkspaceRun(Children children, Sandbox sandbox, Limits limits, Clock clock) {
    this.children = children;
    this.sandbox = sandbox;
    this.limits = limits;
    this.clock = clock;
  }

  @Override
  public ToolSpec spec() {
    return SPEC;
  }

  @Override
  public String call(ToolCall call) throws ToolException, IOException, InterruptedException {
    var args = ToolArgs.of(call);
    var command = args.text("command");
    if (command.indexOf('\0') >= 0) {
      throw new ToolException("the command holds a NUL character");
    }
    if (sandbox.backend() == Backend.NONE) {
      throw new ToolException("commands of the workspace need a sandbox, and none is available");
    }
    var timeout =
        Duration.ofSeconds(args.integer("timeoutSeconds", USUAL_SECONDS, 1, MOST_SECONDS));
    return run(call, command, timeout);
  }

  private String run(ToolCall call, String command, Duration timeout)
      throws ToolException, IOException, InterruptedException {
    var areas = Areas.of(call);
    var work = Files.createDirectories(areas.of(Area.EPHEMERAL)).toRealPath();
    var shell = List.of("/bin/sh", "-c", command);
    var line = sandbox.around(shell, work, call, new Seen(areas.readOnly(), List.of(work)), false);
    var since = clock.instant();
    var ended =
        new Command(
                children,
                call,
                limits.around(line),
                work,
                sandbox.stays(),
                environment(call, areas))
            .run(timeout, OUTPUT_CHARS);
    NewFiles.tell(call.workspace(), since, call.wrote());
    var result = result(command, ended).toString();
    if (ended.timedOut()) {
      throw ToolException.unknown(result);
    }
    return result;
  }

  private static Map<String, String> environment(ToolCall call, Areas areas) throws IOException {
    var own = SessionEnvironment.of(call);
    var environment = new TreeMap<>(CleanEnvironment.inherited());
    environment.putAll(own.variables());
    for (var area : List.of(Area.UPLOADED, Area.DERIVED, Area.ENVIRONMENT)) {
      environment.put(area.name(), areas.of(area).toRealPath().toString());
    }
    var programs = Files.createDirectories(own.programs()).toRealPath();
    environment.merge("PATH", programs + ":/usr/bin:/bin", (path, usual) -> programs + ":" + path);
    return environment;
  }

  private static ObjectNode result(String command, Command.Ended ended) {
    var result = JsonNodeFactory.instance.objectNode();
    result.put("success", ended.exitCode().orElse(-1) == 0);
    result.put("command", command);
    ended
        .exitCode()
        .ifPresentOrElse(code -> result.put("exitCode", code), () -> result.putNull("exitCode"));
    result.put("timedOut", ended.timedOut());
    result.put("sandboxed", true);
    result.put("networkAllowed", false);
    ended.output().addTo(result);
    return result;
  }
}
