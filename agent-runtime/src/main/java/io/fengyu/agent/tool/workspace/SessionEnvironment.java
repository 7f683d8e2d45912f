package io.fengyu.agent.tool.workspace;

import io.fengyu.agent.tool.ToolCall;
import io.fengyu.agent.tool.ToolException;
import io.fengyu.agent.tool.workspace.Areas.Area;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Pattern;

/** What commands of a conversation find set up: variables, and programs in {@code bin}. */
public final class SessionEnvironment {

  private static final int MOST_VARIABLES = 100;
  private static final int LONGEST_VALUE = 4_096;
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,99}");
  // What a shell and its programs load code by, and what is set for every command.
  private static final Set<String> RESERVED =
      Set.of("PATH", "HOME", "TMPDIR", "IFS", "ENV", "BASH_ENV", "SHELLOPTS", "BASHOPTS", "PS4");

  private final Path place;

  private SessionEnvironment(Path place) {
    this.place = place;
  }

  /** That of the conversation a call belongs to. */
  public static SessionEnvironment of(ToolCall call) {
    return new SessionEnvironment(Areas.of(call).of(Area.ENVIRONMENT));
  }

  /** Where programs lie. */
  public Path programs() {
    return place.resolve("bin");
  }

  /** Names and values. */
  public Map<String, String> variables() throws IOException {
    var stored = new Properties();
    try {
      stored.load(new StringReader(Files.readString(file())));
    } catch (NoSuchFileException none) {
      return Map.of();
    } catch (IllegalArgumentException broken) {
      throw new IOException("the variables of the conversation can't be read", broken);
    }
    var variables = new TreeMap<String, String>();
    stored.stringPropertyNames().forEach(name -> variables.put(name, stored.getProperty(name)));
    return variables;
  }

  void set(String name, String value) throws IOException, ToolException {
    var upper = name.toUpperCase(Locale.ROOT);
    if (!NAME.matcher(name).matches() || RESERVED.contains(upper) || upper.startsWith("LD_")) {
      throw new ToolException("no variable of that name can be set: " + name);
    }
    if (value.length() > LONGEST_VALUE || value.indexOf('\0') >= 0) {
      throw new ToolException("the value is longer than " + LONGEST_VALUE + " characters");
    }
    var variables = new TreeMap<>(variables());
    variables.put(name, value);
    if (variables.size() > MOST_VARIABLES) {
      throw new ToolException("there are " + MOST_VARIABLES + " variables already");
    }
    store(variables);
  }

  void unset(String name) throws IOException {
    var variables = new TreeMap<>(variables());
    if (variables.remove(name) != null) {
      store(variables);
    }
  }

  private void store(Map<String, String> variables) throws IOException {
    var stored = new Properties();
    stored.putAll(variables);
    Files.createDirectories(place);
    var next = place.resolve("." + UUID.randomUUID());
    try (var out = Files.newBufferedWriter(next)) {
      stored.store(out, null);
    }
    Files.move(next, file(), StandardCopyOption.ATOMIC_MOVE);
  }

  private Path file() {
    return place.resolve("variables.properties");
  }

  /** Puts a program in place. */
  void install(String name, String script) throws IOException {
    Files.createDirectories(programs());
    var next = programs().resolve("." + UUID.randomUUID());
    Files.writeString(next, script);
    if (!next.toFile().setExecutable(true)) {
      throw new IOException("a program can't be made executable here");
    }
    Files.move(next, programs().resolve(name), StandardCopyOption.ATOMIC_MOVE);
  }

  boolean remove(String name) throws IOException {
    return Files.deleteIfExists(programs().resolve(name));
  }
}
