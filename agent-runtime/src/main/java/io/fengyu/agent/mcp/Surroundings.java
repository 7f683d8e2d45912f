package io.fengyu.agent.mcp;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The environment of a program that offers tools. */
final class Surroundings {

  /** What a program needs to find its way; everything else of ours is none of its business. */
  private static final Set<String> INHERITED =
      Set.of(
          "PATH",
          "HOME",
          "USER",
          "LOGNAME",
          "SHELL",
          "LANG",
          "LANGUAGE",
          "TZ",
          "TERM",
          "TMPDIR",
          "XDG_CACHE_HOME",
          "XDG_CONFIG_HOME",
          "XDG_DATA_HOME",
          "XDG_RUNTIME_DIR",
          "HTTP_PROXY",
          "HTTPS_PROXY",
          "NO_PROXY",
          "SSL_CERT_FILE",
          "SSL_CERT_DIR",
          "NODE_EXTRA_CA_CERTS",
          "SYSTEMROOT",
          "COMSPEC",
          "PATHEXT",
          "TEMP",
          "TMP",
          "APPDATA",
          "LOCALAPPDATA");

  /** Variables that make a program load code of somebody else. */
  private static final Set<String> INJECTING =
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

  private static final List<String> INJECTING_PREFIXES = List.of("LD_", "DYLD_", "COMPLUS_");

  private Surroundings() {}

  /** True for a variable that is dropped wherever it comes from. */
  static boolean injects(String name) {
    var upper = name.toUpperCase(Locale.ROOT);
    return INJECTING.contains(upper) || INJECTING_PREFIXES.stream().anyMatch(upper::startsWith);
  }

  /** What the program gets to see: a little of ours, and what was configured for it. */
  static Map<String, String> of(Map<String, String> ours, Map<String, String> configured) {
    var environment = new HashMap<String, String>();
    ours.forEach(
        (name, value) -> {
          // The address of a proxy may carry credentials.
          if (inherited(name) && !value.contains("@")) {
            environment.put(name, value);
          }
        });
    configured.forEach(
        (name, value) -> {
          if (!injects(name)) {
            environment.put(name, value);
          }
        });
    return environment;
  }

  private static boolean inherited(String name) {
    var upper = name.toUpperCase(Locale.ROOT);
    return INHERITED.contains(upper) || upper.startsWith("LC_");
  }
}
