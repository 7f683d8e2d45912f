package io.fengyu.agent.guard;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * What a text really runs: a real shell tries it in an empty folder, where every program there is
 * only notes its name and arguments.
 */
final class RealShell {

  private static final String NOTE =
      """
      #!/bin/sh
      call=${0##*/}
      for a in "$@"; do call="$call $a"; done
      printf '%s\\036' "$call" >> "$NOTES"
      """;

  private final Path home;
  private final Path programs;
  private final Path folder;
  private final Path script;

  RealShell(Path folder) throws IOException {
    this.folder = folder;
    this.programs = Files.createDirectory(folder.resolve("programs"));
    this.home = Files.createDirectory(folder.resolve("home"));
    this.script = folder.resolve("script");
    for (var name : List.of("git", "evil", "ls")) {
      program(name, NOTE);
    }
    for (var name : List.of("sh", "bash", "env", "nice", "xargs", "nohup", "timeout", "cat")) {
      program(name, "#!/bin/sh\nexec /usr/bin/" + name + " \"$@\"\n");
    }
  }

  private void program(String name, String text) throws IOException {
    var file = Files.writeString(programs.resolve(name), text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /** One text for each program that was called: its name, its arguments. */
  List<String> calls(String shell, String text) {
    try {
      // A new one each time: what was sent to the background may still be writing.
      var notes = Files.createTempFile(folder, "notes", "");
      // From a file, as an argument would have to pass the platform's own character set.
      Files.writeString(script, text);
      var builder = new ProcessBuilder(shell, script.toString()).directory(home.toFile());
      builder.environment().clear();
      builder.environment().put("PATH", programs.toString());
      builder.environment().put("NOTES", notes.toString());
      builder.environment().put("HOME", home.toString());
      builder.environment().put("LC_ALL", "C.UTF-8");
      builder.redirectInput(Path.of("/dev/null").toFile());
      builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
      builder.redirectError(ProcessBuilder.Redirect.DISCARD);
      var process = builder.start();
      if (!process.waitFor(5, TimeUnit.SECONDS)) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
      }
      return Pattern.compile("\u001e")
          .splitAsStream(Files.readString(notes))
          .filter(call -> !call.isEmpty())
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
