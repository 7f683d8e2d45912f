package io.fengyu.agent.file;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/**
 * What a client holds of a file; opaque, good for one plugin.
 *
 * @param id {@code ref_} and a UUID
 * @param name as the client called it, without directories
 * @param size bytes; of a directory, of all files in it
 */
public record FileRef(String id, String name, Kind kind, Access access, long size) {

  /** What the reference stands for. */
  public enum Kind {
    FILE,
    DIRECTORY;

    /** Lower-case word of the wire. */
    @JsonValue
    public String wire() {
      return name().toLowerCase(Locale.ROOT);
    }

    static Kind of(String word) {
      return valueOf(word.toUpperCase(Locale.ROOT));
    }
  }

  /** What may be done with it. */
  public enum Access {
    READ,
    WRITE,
    READ_WRITE;

    /** Word of the wire. */
    @JsonValue
    public String wire() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static Access of(String word) {
      return valueOf(word.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    boolean writes() {
      return this != READ;
    }
  }
}
