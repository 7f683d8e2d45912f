package io.fengyu.agent.tool.command;

import com.fasterxml.jackson.annotation.JsonValue;
import io.fengyu.agent.process.CleanEnvironment;
import io.fengyu.agent.tool.ToolCall;
import io.fengyu.agent.tool.command.CommandConfig.Wanted;
import io.fengyu.contract.capability.Capability;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** What confines commands on this machine. */
@Singleton
public class Sandbox {

  private static final Logger LOG = Logger.getLogger(Sandbox.class);
  private static final int TRIAL_SECONDS = 10;
  private static final List<String> SYSTEM =
      List.of("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc");

  private final Wanted wanted;
  private volatile @Nullable Backend known;

  Sandbox(CommandConfig config) {
    this.wanted = config.sandbox();
  }

  /** Kinds of confinement. */
  public enum Backend {
    /** Views of files, processes and the network of their own. */
    BUBBLEWRAP,
    /** Nothing confines a command. */
    NONE;

    /** Lower-case word of the wire. */
    @JsonValue
    public String wire() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  // Nobody has to wait for the trial later.
  void start(@Observes StartupEvent started) {
    Thread.ofVirtual().name("sandbox-trial").start(this::backend);
  }

  /** What clients may rely on; nothing is known in the first moments. */
  @Produces
  @Singleton
  Capability offered() {
    return new Capability() {
      @Override
      public String name() {
        return "sandbox_v1";
      }

      @Override
      public boolean available() {
        return known == Backend.BUBBLEWRAP;
      }
    };
  }

  /** The kind that works here; tried out once, which takes some milliseconds. */
  public Backend backend() {
    var backend = known;
    if (backend == null) {
      backend = find();
      known = backend;
    }
    return backend;
  }

  private Backend find() {
    boolean welcome = wanted == Wanted.AUTO || wanted == Wanted.BUBBLEWRAP;
    if (welcome && works()) {
      return Backend.BUBBLEWRAP;
    }
    if (wanted == Wanted.NONE) {
      LOG.info("Commands run without a sandbox, as configured");
    } else {
      LOG.warnf("Commands run without a sandbox: %s does not work here", wanted);
    }
    return Backend.NONE;
  }

  private static boolean works() {
    var command = around(List.of("/bin/true"), Path.of("/"), List.of(), List.of(), false);
    try {
      var builder =
          new ProcessBuilder(command)
              .redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
              .redirectOutput(Redirect.DISCARD)
              .redirectError(Redirect.DISCARD);
      builder.environment().keySet().retainAll(CleanEnvironment.inherited().keySet());
      var trial = builder.start();
      if (!trial.waitFor(TRIAL_SECONDS, TimeUnit.SECONDS)) {
        trial.destroyForcibly();
        return false;
      }
      return trial.exitValue() == 0;
    } catch (IOException notInstalled) {
      return false;
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** A command in the sandbox, which sees the call's places and what belongs to the system. */
  List<String> around(List<String> command, Path directory, ToolCall call, boolean network)
      throws IOException {
    var writable = new ArrayList<Path>(List.of(call.workspace()));
    writable.addAll(call.access().writable());
    return around(command, directory, real(call.access().readable()), real(writable), network);
  }

  private static List<Path> real(List<Path> places) throws IOException {
    var real = new ArrayList<Path>();
    for (var place : places) {
      if (Files.exists(place)) {
        real.add(place.toRealPath());
      }
    }
    return real;
  }

  private static List<String> around(
      List<String> command,
      Path directory,
      List<Path> readable,
      List<Path> writable,
      boolean network) {
    var line = new ArrayList<String>(List.of("bwrap", "--unshare-all"));
    if (network) {
      line.add("--share-net");
    }
    line.addAll(List.of("--die-with-parent", "--new-session", "--cap-drop", "ALL"));
    line.addAll(List.of("--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"));
    SYSTEM.forEach(place -> addSystem(line, Path.of(place)));
    addResolver(line);
    readable.forEach(place -> add(line, "--ro-bind-try", place));
    writable.forEach(place -> add(line, "--bind-try", place));
    line.addAll(List.of("--remount-ro", "/", "--setenv", "HOME", "/tmp"));
    line.addAll(List.of("--setenv", "TMPDIR", "/tmp", "--chdir", directory.toString(), "--"));
    line.addAll(command);
    return line;
  }

  private static void addSystem(List<String> line, Path place) {
    try {
      if (Files.isSymbolicLink(place)) {
        line.addAll(
            List.of("--symlink", Files.readSymbolicLink(place).toString(), place.toString()));
      } else if (Files.isDirectory(place)) {
        add(line, "--ro-bind", place);
      }
    } catch (IOException gone) {
      LOG.debugf("%s is not part of the sandbox", place);
    }
  }

  // Names are often resolved as a file outside of /etc says.
  private static void addResolver(List<String> line) {
    try {
      var real = Path.of("/etc/resolv.conf").toRealPath();
      if (!real.startsWith("/etc")) {
        add(line, "--ro-bind-try", real);
      }
    } catch (IOException none) {
      LOG.debug("No resolver is configured");
    }
  }

  private static void add(List<String> line, String how, Path place) {
    line.addAll(List.of(how, place.toString(), place.toString()));
  }
}
