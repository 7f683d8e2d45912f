package io.fengyu.agent.turn;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of something that calls read and write, in parts divided by colons. A shorter name means
 * everything below it.
 *
 * @param text empty for everything there is
 */
public record ResourceName(String text) {

  private static final String FILE = "file:";
  private static final Pattern ARGUMENT = Pattern.compile("\\{([^{}]*)}");

  /**
   * Fills in a declared name. A part that the arguments leave open widens the name to what stands
   * before it: nothing is guessed, and nobody is let through who might be concerned.
   */
  static ResourceName of(String declared, ObjectNode args) {
    var whole = new StringBuilder();
    var placeholder = ARGUMENT.matcher(declared);
    while (placeholder.find()) {
      var value = args.path(placeholder.group(1));
      if (!fills(value)) {
        placeholder.appendReplacement(whole, "");
        return new ResourceName(before(whole.toString()));
      }
      placeholder.appendReplacement(whole, Matcher.quoteReplacement(value.asText()));
    }
    return named(placeholder.appendTail(whole).toString());
  }

  // One file has many spellings; one that begins at the root may be any file of the workspace.
  private static ResourceName named(String text) {
    if (!text.startsWith(FILE)) {
      return new ResourceName(text);
    }
    try {
      var path = Path.of(text.substring(FILE.length()));
      return new ResourceName(path.isAbsolute() ? "file" : FILE + path.normalize());
    } catch (InvalidPathException noPath) {
      return new ResourceName("file");
    }
  }

  private static boolean fills(JsonNode value) {
    return value.isValueNode() && !value.isNull() && !value.asText().isBlank();
  }

  private static String before(String begun) {
    return begun.substring(0, Math.max(0, begun.lastIndexOf(':')));
  }

  /** True when a change of one may be seen in the other. */
  boolean overlaps(ResourceName other) {
    return holds(other) || other.holds(this);
  }

  private boolean holds(ResourceName other) {
    return text.isEmpty() || other.text.equals(text) || other.text.startsWith(text + ":");
  }
}
