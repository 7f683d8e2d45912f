package io.fengyu.agent.tool.command;

import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;

/** What one process of a command may use, enforced by the kernel. */
@Singleton
class Limits {

  private final String script;

  // What a shell or the kernel refuses to set stays as it is.
  Limits(CommandConfig config) {
    script =
        """
        exec 3>&2 2>/dev/null
        ulimit -c 0
        ulimit -t %d
        ulimit -d %d
        ulimit -f %d
        ulimit -u %d || ulimit -p %4$d
        exec 2>&3 3>&-
        exec "$@"
        """
            .formatted(
                config.cpuSeconds(),
                config.memoryMib() * 1024L,
                config.fileMib() * 2048L,
                config.processes());
  }

  /** A command under these limits. */
  List<String> around(List<String> command) {
    var line = new ArrayList<>(List.of("/bin/sh", "-c", script, "sh"));
    line.addAll(command);
    return line;
  }
}
