package io.fengyu.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class EnvironmentExampleTest {

  private static final Path REPOSITORY = Path.of("..", "..");
  private static final Pattern EXPRESSION =
      Pattern.compile(
          "(?:\\$\\{|environment\\.get(?:OrDefault)?\\(\"|name = \")([A-Z][A-Z0-9_]+)[:}\"]");
  private static final Pattern COMPOSED = Pattern.compile("(?m)^ +([A-Z][A-Z0-9_]+):");
  private static final Pattern LISTED = Pattern.compile("(?m)^(?:# )?([A-Z][A-Z0-9_]+)=");

  @Test
  void theExampleListsEveryVariableThatAProgramReads() throws IOException {
    assertThat(read(".env.example", LISTED)).containsAll(variablesOfPrograms());
  }

  @Test
  void theExampleListsNothingThatNobodyReads() throws IOException {
    Set<String> known = variablesOfPrograms();
    known.addAll(read("docker-compose.yml", EXPRESSION));

    assertThat(known).containsAll(read(".env.example", LISTED));
  }

  @Test
  void composeHandsOverNothingThatNobodyReads() throws IOException {
    Set<String> known = variablesOfPrograms();
    known.addAll(read("docker-compose.yml", EXPRESSION));

    assertThat(known).containsAll(read("docker-compose.yml", COMPOSED));
  }

  /** Names in expressions of the configuration files and defaults of all modules. */
  private static Set<String> variablesOfPrograms() throws IOException {
    var names = new TreeSet<String>();
    Files.walkFileTree(
        REPOSITORY,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            return Set.of("target", "test", "data", ".git", "node_modules")
                    .contains(folder.getFileName().toString())
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            String name = file.getFileName().toString();
            if (name.endsWith(".properties") || name.endsWith(".java")) {
              names.addAll(read(REPOSITORY.relativize(file).toString(), EXPRESSION));
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return names;
  }

  private static Set<String> read(String file, Pattern pattern) throws IOException {
    var names = new TreeSet<String>();
    var found = pattern.matcher(Files.readString(REPOSITORY.resolve(file)));
    while (found.find()) {
      names.add(found.group(1));
    }
    return names;
  }
}
