package io.fengyu.agent.file;

import io.fengyu.agent.tool.StoredPlaces;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Where things lie in the data directory:
 *
 * <pre>
 * uploads/&lt;id&gt;/…               what a client handed in
 * runs/&lt;run&gt;/workspace/…        root of the file tools, outside of a conversation
 * runs/&lt;run&gt;/output/&lt;plugin&gt;/… results that no place was named for
 * runs/&lt;run&gt;/shared/&lt;name&gt;/…   directories made for the run
 * runs/&lt;run&gt;/state/…            what tools remember
 * sessions/&lt;digest&gt;/workspace/… root of the file tools in a conversation
 * </pre>
 */
@ApplicationScoped
class Layout implements StoredPlaces {

  private final Path root;

  Layout(FilesConfig config) {
    try {
      root = Files.createDirectories(config.dataDir().toAbsolutePath()).toRealPath();
    } catch (IOException e) {
      throw new UncheckedIOException("DATA_DIR cannot be used: " + config.dataDir(), e);
    }
  }

  Path root() {
    return root;
  }

  Path uploads() {
    return root.resolve("uploads");
  }

  Path runs() {
    return root.resolve("runs");
  }

  Path run(UUID runId) {
    return runs().resolve(runId.toString());
  }

  Path shared(UUID runId, String name) {
    return run(runId).resolve("shared").resolve(name);
  }

  Path workspace(String owner, UUID runId, @Nullable String sessionId) {
    var home =
        sessionId == null
            ? run(runId)
            : root.resolve("sessions").resolve(digest(owner + "\n" + sessionId));
    return home.resolve("workspace");
  }

  /** As stored: short and independent of where the data directory is mounted, when inside of it. */
  @Override
  public String store(Path path) {
    var absolute = path.toAbsolutePath().normalize();
    return absolute.startsWith(root) ? root.relativize(absolute).toString() : absolute.toString();
  }

  /** The other way round. */
  @Override
  public Path load(String location) {
    return root.resolve(location);
  }

  /**
   * How clients see a file that a run wrote: {@code workspace/…}, {@code output/…} or {@code
   * shared/…}; empty for a file anywhere else.
   */
  Optional<String> shown(Path file) {
    var absolute = file.toAbsolutePath().normalize();
    var inRun = below(runs(), absolute);
    return (inRun.isPresent() ? inRun : below(root.resolve("sessions"), absolute))
        .filter(inside -> !inside.startsWith("state"))
        .map(Layout::slashes);
  }

  /** What comes after the folder of one run or session. */
  private static Optional<Path> below(Path parent, Path file) {
    int folder = parent.getNameCount() + 1;
    return file.startsWith(parent) && file.getNameCount() > folder + 1
        ? Optional.of(file.subpath(folder, file.getNameCount()))
        : Optional.empty();
  }

  private static String slashes(Path path) {
    return path.toString().replace('\\', '/');
  }

  private static String digest(String text) {
    try {
      var sha = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(sha.digest(text.getBytes(StandardCharsets.UTF_8)), 0, 16);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
