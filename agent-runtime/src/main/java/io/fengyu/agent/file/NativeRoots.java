package io.fengyu.agent.file;

import jakarta.enterprise.context.ApplicationScoped;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The directories of this machine below which callers may name a path. */
@ApplicationScoped
class NativeRoots {

  private static final Pattern SEPARATOR =
      Pattern.compile("[," + Pattern.quote(File.pathSeparator) + "]");

  private final List<Path> roots;
  private final Path dataDir;

  NativeRoots(FilesConfig config, Layout layout) {
    roots = config.nativeRoots().map(NativeRoots::parse).orElseGet(() -> usual(config.profile()));
    dataDir = layout.root();
  }

  /** The real path behind a name, when it is of that kind, below a root, and not our own data. */
  Optional<Path> resolve(String named, boolean directory) {
    try {
      var path = Path.of(named);
      if (!path.isAbsolute()) {
        return Optional.empty();
      }
      var real = path.toRealPath();
      var kindIsRight = directory ? Files.isDirectory(real) : Files.isRegularFile(real);
      return kindIsRight && below(real) && !touchesOurData(real) && Files.isReadable(real)
          ? Optional.of(real)
          : Optional.empty();
    } catch (IOException | InvalidPathException e) {
      return Optional.empty();
    }
  }

  private boolean below(Path real) {
    return roots.stream().anyMatch(root -> real.startsWith(realOf(root)));
  }

  // A granted directory that holds the data directory would open every upload of everybody.
  private boolean touchesOurData(Path real) {
    return real.startsWith(dataDir) || dataDir.startsWith(real);
  }

  private static Path realOf(Path root) {
    try {
      return root.toRealPath();
    } catch (IOException e) {
      return root;
    }
  }

  private static List<Path> usual(String profile) {
    return profile.equals("workstation")
        ? List.of(Path.of(System.getProperty("user.home")))
        : List.of();
  }

  private static List<Path> parse(String listed) {
    var roots =
        Arrays.stream(SEPARATOR.split(listed))
            .map(String::strip)
            .filter(text -> !text.isEmpty())
            .map(Path::of)
            .toList();
    roots.stream()
        .filter(root -> !root.isAbsolute())
        .findFirst()
        .ifPresent(
            root -> {
              throw new IllegalArgumentException(
                  "FENGYU_NATIVE_FILE_ROOTS must hold absolute paths, not " + root);
            });
    return roots;
  }
}
