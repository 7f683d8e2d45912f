package io.fengyu.testing.model;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The scripted model as a program: {@code [--port=0] [--script=answers.json]}. Prints {@code
 * MODEL_URL=http://127.0.0.1:port} and runs until it is stopped. Without a script it answers every
 * request with one friendly sentence.
 */
public final class ScriptedModel {

  private ScriptedModel() {}

  /** Runs until the process ends. */
  public static void main(String... args) throws IOException, InterruptedException {
    var port = Integer.parseInt(option(args, "--port=", "0"));
    try (var server = ModelServer.start(port)) {
      server.otherwise(Answer.saying("Hello ", "from ", "the scripted model."));
      var script = option(args, "--script=", "");
      if (!script.isEmpty()) {
        var answers = Dialect.JSON.readTree(Files.readString(Path.of(script)));
        server.next(ScriptReader.answers(answers).toArray(Answer[]::new));
      }
      System.out.println("MODEL_URL=" + server.address());
      server.awaitClose();
    }
  }

  private static String option(String[] args, String prefix, String absent) {
    for (var arg : args) {
      if (arg.startsWith(prefix)) {
        return arg.substring(prefix.length());
      }
    }
    return absent;
  }
}
