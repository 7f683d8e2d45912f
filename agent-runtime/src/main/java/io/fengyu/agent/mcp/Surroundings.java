package io.fengyu.agent.mcp;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The environment of programs: which variables would make one load code of somebody else. */
final class Surroundings {

  private static final Set<String> NAMES =
      Set.of(
          "NODE_OPTIONS",
          "NODE_PATH",
          "JAVA_TOOL_OPTIONS",
          "JDK_JAVA_OPTIONS",
          "_JAVA_OPTIONS",
          "CLASSPATH",
          "PYTHONPATH",
          "PYTHONSTARTUP",
          "PYTHONHOME",
          "PERL5OPT",
          "PERL5LIB",
          "RUBYOPT",
          "RUBYLIB",
          "BASH_ENV",
          "ENV",
          "GCONV_PATH",
          "DOTNET_STARTUP_HOOKS",
          "GIT_SSH_COMMAND",
          "PROMPT_COMMAND");

  private static final List<String> BEGINNINGS = List.of("LD_", "DYLD_", "BASH_FUNC_", "FENGYU_");

  private Surroundings() {}

  /** True for a variable that is dropped. */
  static boolean injects(String variable) {
    var upper = variable.toUpperCase(Locale.ROOT);
    return NAMES.contains(upper) || BEGINNINGS.stream().anyMatch(upper::startsWith);
  }
}
