package io.fengyu.agent.tool.workspace;

import com.fasterxml.jackson.annotation.JsonValue;
import io.fengyu.agent.tool.ToolCall;
import io.fengyu.agent.tool.ToolException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The parts of a conversation's workspace, or of a run's outside of one: what people handed in,
 * what was published, what commands find set up, and where they work. They lie beside each other.
 */
public final class Areas {

  private final Path ephemeral;

  private Areas(Path ephemeral) {
    this.ephemeral = ephemeral;
  }

  /** What a part is for. */
  public enum Area {
    /** Handed in by people. */
    UPLOADED,
    /** Published, in versions that never change. */
    DERIVED,
    /** What commands find set up: programs and variables. */
    ENVIRONMENT,
    /** Where file tools and commands work; the only part that commands write. */
    EPHEMERAL;

    /** Lower-case word of the wire. */
    @JsonValue
    public String wire() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** The area of that name, in any case. */
    public static Optional<Area> named(String name) {
      return Arrays.stream(values()).filter(area -> area.wire().equalsIgnoreCase(name)).findFirst();
    }
  }

  /** Those that a call sees. */
  public static Areas of(ToolCall call) {
    return new Areas(call.workspace());
  }

  /** Those around the root of the file tools. */
  public static Areas around(Path workspace) {
    return new Areas(workspace);
  }

  /** Where an area lies; it may not be there yet. */
  public Path of(Area area) {
    return area == Area.EPHEMERAL ? ephemeral : ephemeral.resolveSibling(area.wire());
  }

  /** The parts that commands only read, made if need be, with links on the way resolved. */
  public List<Path> readOnly() throws IOException {
    var real = new ArrayList<Path>();
    for (var area : List.of(Area.UPLOADED, Area.DERIVED, Area.ENVIRONMENT)) {
      real.add(Files.createDirectories(of(area)).toRealPath());
    }
    return real;
  }

  /** The area of that name. */
  static Area required(String name) throws ToolException {
    return Area.named(name)
        .orElseThrow(
            () ->
                new ToolException(
                    "argument 'area' must be uploaded, derived, environment or ephemeral"));
  }
}
