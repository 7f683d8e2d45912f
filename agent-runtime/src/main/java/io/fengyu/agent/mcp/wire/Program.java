package io.fengyu.agent.mcp.wire;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * A server that is a program of this machine, spoken to over its standard input and output.
 *
 * @param work what it is started for, such as the id of a run
 * @param environment all of it
 * @param masked makes secrets in what it complains about unreadable
 */
public record Program(
    String work,
    List<String> command,
    Path directory,
    Map<String, String> environment,
    UnaryOperator<String> masked) {

  /** Arguments and environment may be secrets. */
  @Override
  public String toString() {
    return "Program[" + command.getFirst() + "]";
  }
}
