package io.fengyu.testing.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A folder with installed npm packages; a test without them is skipped, and says so. */
public final class NodeFolder {

  private static final Path SOURCE = Path.of("src/test/node");
  private static final Duration INSTALLED_WITHIN = Duration.ofMinutes(3);

  private final Path folder;

  private NodeFolder(Path folder) {
    this.folder = folder;
  }

  /**
   * The module's own packages, installed unless they are there.
   *
   * @param test is skipped where they cannot be
   * @param scripts of the module, to be run beside them
   */
  public static NodeFolder installed(String test, String... scripts) throws Exception {
    if (!available("node") || !available("npm")) {
      skip(test, "there is no node or npm on this machine");
    }
    var installed = new NodeFolder(Path.of("target/peers").toAbsolutePath());
    Files.createDirectories(installed.folder);
    for (var file : List.of("package.json", "package-lock.json", ".npmrc")) {
      installed.copy(file);
    }
    for (var script : scripts) {
      installed.copy(script);
    }
    if (!Files.exists(installed.path("node_modules/.package-lock.json"))) {
      installed.install(test);
    }
    return installed;
  }

  private void copy(String file) throws IOException {
    Files.copy(SOURCE.resolve(file), path(file), StandardCopyOption.REPLACE_EXISTING);
  }

  private void install(String test) throws Exception {
    try {
      run(INSTALLED_WITHIN, "npm", "ci", "--ignore-scripts", "--prefer-offline");
    } catch (AssertionError unreachable) {
      skip(test, "the packages cannot be installed: " + unreachable.getMessage());
    }
  }

  private static void skip(String test, String reason) {
    System.out.println("SKIPPED " + test + ": " + reason);
    abort(reason);
  }

  private static boolean available(String program) {
    try {
      return new ProcessBuilder(program, "--version")
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException missing) {
      return false;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** A file below the folder. */
  public Path path(String file) {
    return folder.resolve(file);
  }

  /** Runs a command to its good end and gives what it said. */
  public String run(Duration within, String... command) throws Exception {
    var log = Files.createTempFile("peers", ".log");
    var process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    boolean ended = process.waitFor(within.toMillis(), TimeUnit.MILLISECONDS);
    if (!ended) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    var output = Files.readString(log).strip();
    Files.delete(log);
    assertThat(ended).as("%s took over %s: %s", command[0], within, output).isTrue();
    assertThat(process.exitValue()).as(output).isZero();
    return output;
  }
}
