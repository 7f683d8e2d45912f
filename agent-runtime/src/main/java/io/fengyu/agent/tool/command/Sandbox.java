package io.fengyu.agent.tool.command;

import com.fasterxml.jackson.annotation.JsonValue;
import io.fengyu.agent.tool.ToolCall;
import io.fengyu.agent.tool.command.CommandConfig.Wanted;
import io.fengyu.contract.capability.Capability;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** What confines commands on this machine. */
@Singleton
public class Sandbox {

  static final List<String> SYSTEM =
      List.of("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc");

  private static final Logger LOG = Logger.getLogger(Sandbox.class);

  private final Wanted wanted;
  private volatile @Nullable Backend known;

  Sandbox(CommandConfig config) {
    this.wanted = config.sandbox();
  }

  /** Kinds of confinement. */
  public enum Backend {
    /** Views of files, processes and the network of their own. */
    BUBBLEWRAP,
    /** Only some files, and no connections over TCP where the kernel can say so. */
    LANDLOCK,
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
        return known != null && known != Backend.NONE;
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
    boolean best = wanted == Wanted.AUTO;
    if ((best || wanted == Wanted.BUBBLEWRAP) && Bubblewrap.works()) {
      return Backend.BUBBLEWRAP;
    }
    if ((best || wanted == Wanted.LANDLOCK) && Landlock.version() > 0) {
      LOG.info("Commands are confined by Landlock, as bubblewrap does not work here");
      return Backend.LANDLOCK;
    }
    if (wanted == Wanted.NONE) {
      LOG.info("Commands run without a sandbox, as configured");
    } else {
      LOG.warnf("Commands run without a sandbox: %s does not work here", wanted);
    }
    return Backend.NONE;
  }

  /** True when a command can use the network although it was not allowed to. */
  boolean leavesNetworkOpen() {
    return switch (backend()) {
      case BUBBLEWRAP -> false;
      case LANDLOCK -> !Landlock.confinesTcp();
      case NONE -> true;
    };
  }

  /** True when the program of {@link #around} stays with the command until it has ended. */
  public boolean stays() {
    return backend() == Backend.BUBBLEWRAP;
  }

  /**
   * A command in the sandbox, which sees the call's places and what belongs to the system; the
   * command itself where there is no sandbox.
   */
  List<String> around(List<String> command, Path directory, ToolCall call, boolean network)
      throws IOException {
    return around(command, directory, call, new Seen(readable(call), writable(call)), network);
  }

  /** Real paths that a command sees, besides those of the system. */
  record Seen(List<Path> readable, List<Path> writable) {}

  /** Likewise, for a command that sees other places than the call has. */
  List<String> around(
      List<String> command, Path directory, ToolCall call, Seen seen, boolean network)
      throws IOException {
    return backend() == Backend.NONE
        ? command
        : around(command, directory, temporary(call), seen.readable(), seen.writable(), network);
  }

  /**
   * Likewise for work that is no call of its own.
   *
   * @param temporary where it finds room for what it does not keep, if the sandbox brings none
   * @param readable places that exist
   * @param writable places that exist; readable too
   */
  public List<String> around(
      List<String> command,
      Path directory,
      Path temporary,
      List<Path> readable,
      List<Path> writable,
      boolean network)
      throws IOException {
    return switch (backend()) {
      case BUBBLEWRAP ->
          Bubblewrap.around(command, directory, real(readable), real(writable), network);
      case LANDLOCK -> Landlock.around(command, temporary, real(readable), real(writable), network);
      case NONE -> command;
    };
  }

  private static List<Path> readable(ToolCall call) {
    return call.access().readable();
  }

  private static List<Path> writable(ToolCall call) {
    var writable = new ArrayList<Path>(List.of(call.workspace()));
    writable.addAll(call.access().writable());
    return writable;
  }

  // As long as the work lasts, and of nobody else.
  private static Path temporary(ToolCall call) throws IOException {
    return Files.createDirectories(call.state().resolve("tmp")).toRealPath();
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
}
