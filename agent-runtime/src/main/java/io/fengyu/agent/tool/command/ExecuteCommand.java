package io.fengyu.agent.tool.command;

import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.process.Children;
import io.fengyu.agent.tool.Declaration;
import io.fengyu.agent.tool.Declaration.Field;
import io.fengyu.agent.tool.Effect;
import io.fengyu.agent.tool.Tool;
import io.fengyu.agent.tool.ToolArgs;
import io.fengyu.agent.tool.ToolCall;
import io.fengyu.agent.tool.ToolException;
import io.fengyu.agent.tool.ToolSpec;
import io.fengyu.agent.tool.command.Sandbox.Backend;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;

/** Runs a command of the shell; whatever it starts ends with it. */
@Singleton
class ExecuteCommand implements Tool {

  private static final int USUAL_SECONDS = 30;
  private static final int MOST_SECONDS = 600;
  private static final int USUAL_CHARS = 65_536;
  private static final int MOST_CHARS = 262_144;

  private static final ToolSpec SPEC =
      Declaration.of(
              "execute_command",
              "Runs a command with /bin/sh in the workspace and returns what it wrote. Nothing of"
                  + " it goes on in the background: what it started is ended with it. Outside of"
                  + " full access it sees the workspace and the system's programs only, and no"
                  + " network unless asked for.")
          .effect(Effect.COMMAND)
          .label("Run a command")
          .in(
              Field.required("command", "string", "The command line."),
              Field.optional("workingDirectory", "string", "Directory to run in."),
              Field.optional("timeoutSeconds", "integer", "Ended after so long.")
                  .between(1, MOST_SECONDS)
                  .byDefault(IntNode.valueOf(USUAL_SECONDS)),
              Field.optional(
                      "maxOutputChars",
                      "integer",
                      "Characters kept of each stream: its first three quarters and its end.")
                  .between(1, MOST_CHARS)
                  .byDefault(IntNode.valueOf(USUAL_CHARS)),
              Field.optional("allowNetwork", "boolean", "True to let it use the network.")
                  .byDefault(BooleanNode.FALSE))
          .out(
              Field.required("success", "boolean", "True for exit code 0 in time."),
              Field.required("command", "string", "The command line."),
              Field.required("workingDirectory", "string", "Where it ran."),
              Field.required("exitCode", "integer", "Null when it was ended for its time."),
              Field.required("timedOut", "boolean", "True when it was ended for its time."),
              Field.required("sandboxed", "boolean", "True when a sandbox confined it."),
              Field.required(
                  "sandboxBackend", "string", "Which one: bubblewrap, landlock or none."),
              Field.required("networkAllowed", "boolean", "True when it could use the network."),
              Field.required("stdout", "string", "What it wrote."),
              Field.required("stderr", "string", "What it complained about."),
              Field.required("stdoutTruncated", "boolean", "True when characters are left out."),
              Field.required("stderrTruncated", "boolean", "True when characters are left out."),
              Field.required("output", "string", "Both streams as they came, or an excerpt."),
              Field.required("outputTruncated", "boolean", "True for an excerpt."),
              Field.required("truncated", "boolean", "True when either stream is cut."))
          .spec();

  private final Children children;
  private final Sandbox sandbox;
  private final Limits limits;
  private final CommandConfig config;
  private final Clock clock;

  ExecuteCommand(
      Children children, Sandbox sandbox, Limits limits, CommandConfig config, Clock clock) {
    this.children = children;
    this.sandbox = sandbox;
    this.limits = limits;
    this.config = config;
    this.clock = clock;
  }

  @Override
  public ToolSpec spec() {
    return SPEC;
  }

  /** What was asked for. */
  private record Request(
      String command, Path directory, Duration timeout, int outputLimit, boolean network) {}

  @Override
  public String call(ToolCall call) throws ToolException, IOException, InterruptedException {
    var args = ToolArgs.of(call);
    var command = args.optionalText("command");
    if (command == null || command.isBlank()) {
      return refused("the command is blank");
    }
    if (command.indexOf('\0') >= 0) {
      return refused("the command holds a NUL character");
    }
    if (config.sandboxRequired() && sandbox.backend() == Backend.NONE) {
      return refused("commands need a sandbox here, and none is available");
    }
    var named = args.optionalText("workingDirectory");
    var directory = WorkingDirectory.of(call, named);
    if (directory.isEmpty()) {
      return refused("no such directory: " + named);
    }
    return run(
        call,
        new Request(
            command,
            directory.get(),
            Duration.ofSeconds(args.integer("timeoutSeconds", USUAL_SECONDS, 1, MOST_SECONDS)),
            args.integer("maxOutputChars", USUAL_CHARS, 1, MOST_CHARS),
            args.flag("allowNetwork", false)));
  }

  private static String refused(String why) {
    return JsonNodeFactory.instance.objectNode().put("success", false).put("error", why).toString();
  }

  // What was ended in the middle may have done its work or not.
  private String run(ToolCall call, Request request)
      throws ToolException, IOException, InterruptedException {
    var backend = call.unconfined() ? Backend.NONE : sandbox.backend();
    var shell = List.of("/bin/sh", "-c", request.command());
    boolean sandboxed = backend != Backend.NONE;
    var line =
        sandboxed ? sandbox.around(shell, request.directory(), call, request.network()) : shell;
    boolean stays = sandboxed && sandbox.stays();
    var command = new Command(children, call, limits.around(line), request.directory(), stays);
    var since = clock.instant();
    var ended = command.run(request.timeout(), request.outputLimit());
    NewFiles.tell(call.workspace(), since, call.wrote());
    var result = result(request, backend, ended).toString();
    if (ended.timedOut()) {
      throw ToolException.unknown(result);
    }
    return result;
  }

  private ObjectNode result(Request request, Backend backend, Command.Ended ended) {
    boolean sandboxed = backend != Backend.NONE;
    var result = JsonNodeFactory.instance.objectNode();
    result.put("success", ended.exitCode().orElse(-1) == 0);
    result.put("command", request.command());
    result.put("workingDirectory", request.directory().toString());
    ended
        .exitCode()
        .ifPresentOrElse(c -> result.put("exitCode", c), () -> result.putNull("exitCode"));
    result.put("timedOut", ended.timedOut());
    result.put("sandboxed", sandboxed);
    result.put("sandboxBackend", backend.wire());
    result.put("networkAllowed", !sandboxed || request.network() || sandbox.leavesNetworkOpen());
    ended.output().addTo(result);
    return result;
  }
}
