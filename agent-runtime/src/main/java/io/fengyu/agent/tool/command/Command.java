package io.fengyu.agent.tool.command;

import io.fengyu.agent.process.Child;
import io.fengyu.agent.process.Children;
import io.fengyu.agent.process.CleanEnvironment;
import io.fengyu.agent.tool.Branches.Branch;
import io.fengyu.agent.tool.Branches.Kind;
import io.fengyu.agent.tool.ToolCall;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jboss.logging.Logger;

/** One command from its start until nothing of it is left. */
final class Command {

  private static final Logger LOG = Logger.getLogger(Command.class);
  private static final Duration END_PATIENCE = Duration.ofSeconds(6);
  private static final Duration LAST_WORDS = Duration.ofSeconds(2);

  private final Children children;
  private final ToolCall call;
  private final List<String> line;
  private final Path directory;
  private final boolean sandboxed;
  private final Map<String, String> environment;

  /**
   * @param line program and arguments
   * @param sandboxed true when the program is a sandbox around the command
   */
  Command(Children children, ToolCall call, List<String> line, Path directory, boolean sandboxed) {
    this(children, call, line, directory, sandboxed, CleanEnvironment.inherited());
  }

  /** Likewise, with an environment of its own. */
  Command(
      Children children,
      ToolCall call,
      List<String> line,
      Path directory,
      boolean sandboxed,
      Map<String, String> environment) {
    this.children = children;
    this.call = call;
    this.line = line;
    this.directory = directory;
    this.sandboxed = sandboxed;
    this.environment = environment;
  }

  /**
   * How a command ended.
   *
   * @param exitCode empty when it was not allowed to go on
   */
  record Ended(OptionalInt exitCode, Output output) {

    boolean timedOut() {
      return exitCode.isEmpty();
    }
  }

  /** Runs it; an interrupt ends it with all that it started. */
  Ended run(Duration timeout, int outputLimit) throws IOException, InterruptedException {
    var child = start();
    var branch = call.branches().begin(Kind.PROCESS, Long.toString(child.pid()));
    try {
      var output = Output.of(child, outputLimit);
      boolean byItself = child.endsWithin(timeout);
      end(child, branch);
      output.await(LAST_WORDS);
      return new Ended(byItself ? OptionalInt.of(child.exitCode()) : OptionalInt.empty(), output);
    } finally {
      end(child, branch);
    }
  }

  private Child start() throws IOException, InterruptedException {
    var runId = call.runId();
    var work = runId == null ? call.invocationId() : runId.toString();
    return children.start(
        new Children.Start(work, new ArrayList<>(line), directory, environment, false, sandboxed));
  }

  // What cannot be killed right now is not forgotten: the branch lasts as long as it does.
  private void end(Child child, Branch branch) {
    if (child.end(END_PATIENCE)) {
      branch.close();
      return;
    }
    LOG.errorf("Process %d and its descendants cannot be ended yet", child.pid());
    Thread.startVirtualThread(
        () -> {
          while (!child.end(END_PATIENCE)) {
            LOG.debugf("Process %d still lives", child.pid());
          }
          branch.close();
        });
  }
}
