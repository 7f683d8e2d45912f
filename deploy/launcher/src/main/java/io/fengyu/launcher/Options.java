package io.fengyu.launcher;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the command line asks for.
 *
 * @param words the command and its arguments, without options
 * @param port wanted for the edge
 * @param token null to use the stored one, which is made on the first start
 */
record Options(List<String> words, int port, @Nullable String token, Path dataDir) {

  private static final int DEFAULT_PORT = 24056;

  static Options parse(String[] args, Map<String, String> environment) {
    var words = new ArrayList<String>();
    var port = environment.get("FENGYU_PORT");
    var token = environment.get("FENGYU_TOKEN");
    var dataDir = environment.getOrDefault("FENGYU_DATA_DIR", "data");
    for (var arg : args) {
      if (arg.startsWith("--port=")) {
        port = valueOf(arg);
      } else if (arg.startsWith("--token=")) {
        token = valueOf(arg);
      } else if (arg.startsWith("--data-dir=")) {
        dataDir = valueOf(arg);
      } else if (arg.startsWith("-")) {
        throw new LaunchException("Unknown option " + arg);
      } else {
        words.add(arg);
      }
    }
    return new Options(words, port(port), token, Path.of(dataDir).toAbsolutePath().normalize());
  }

  private static int port(@Nullable String text) {
    if (text == null || text.isBlank()) {
      return DEFAULT_PORT;
    }
    try {
      var port = Integer.parseInt(text.strip());
      if (port >= 0 && port <= 65_535) {
        return port;
      }
    } catch (NumberFormatException notANumber) {
      throw new LaunchException("Not a port: " + text, notANumber);
    }
    throw new LaunchException("Not a port: " + text);
  }

  private static String valueOf(String arg) {
    return arg.substring(arg.indexOf('=') + 1);
  }
}
