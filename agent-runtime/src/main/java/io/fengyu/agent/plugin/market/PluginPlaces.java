package io.fengyu.agent.plugin.market;

import io.fengyu.agent.plugin.archive.PackageZip;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestOutputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Where packages lie on this machine: {@code plugins/<digest>} holds one unpacked, {@code
 * plugin-data/<id>} what it keeps. A package is unpacked when it is first needed; a directory that
 * exists is whole, for it was moved there in one step. Other replicas may use the same directory.
 */
@ApplicationScoped
public class PluginPlaces {

  private static final Logger LOG = Logger.getLogger(PluginPlaces.class);
  private static final Duration YOUNG = Duration.ofHours(1);
  private static final Duration STORE_ANSWERS_WITHIN = Duration.ofSeconds(30);

  private final PluginStore store;
  private final PluginRegistry registry;
  private final Path root;
  private final ReentrantLock unpacking = new ReentrantLock();
  private @Nullable Set<String> seen;

  PluginPlaces(
      PluginStore store,
      PluginRegistry registry,
      @ConfigProperty(name = "fengyu.plugins.directory") Path root) {
    this.store = store;
    this.registry = registry;
    this.root = root.toAbsolutePath();
  }

  void start(@Observes StartupEvent started) {
    registry.onChange(this::forgetGone);
  }

  /** What the package keeps, as long as it is wanted: a later version finds it again. */
  public Path data(Installed plugin) throws IOException {
    return Files.createDirectories(root.resolve("plugin-data").resolve(plugin.id())).toRealPath();
  }

  /** A place for an upload; whoever made it removes it. */
  Path scratch() throws IOException {
    return Files.createTempFile(
        Files.createDirectories(root.resolve("plugins")), ".upload-", ".fyp");
  }

  /** The package unpacked. Waits, if need be, until it is. */
  public Path home(Installed plugin) throws IOException, InterruptedException {
    var home = place(plugin.digest());
    if (!Files.isDirectory(home)) {
      unpacking.lockInterruptibly();
      try {
        if (!Files.isDirectory(home)) {
          unpack(plugin, home);
        }
      } finally {
        unpacking.unlock();
      }
    }
    return home.toRealPath();
  }

  private Path place(String digest) {
    return root.resolve("plugins").resolve(digest);
  }

  private void unpack(Installed plugin, Path home) throws IOException {
    var scratch = scratch();
    var half = home.resolveSibling(".half-" + UUID.randomUUID());
    try {
      fetch(plugin, scratch);
      try (var zip = PackageZip.open(scratch)) {
        zip.unpack(Files.createDirectories(half));
      }
      move(half, home);
    } finally {
      Files.deleteIfExists(scratch);
      delete(half);
    }
  }

  private void fetch(Installed plugin, Path file) throws IOException {
    var sha = Digests.sha256();
    try (var out = new DigestOutputStream(Files.newOutputStream(file), sha)) {
      long left = plugin.size();
      for (int seq = 0; left > 0; seq++) {
        left -= append(plugin, seq, out);
      }
    }
    if (!HexFormat.of().formatHex(sha.digest()).equals(plugin.digest())) {
      throw new IOException("the stored package of " + plugin.id() + " is damaged");
    }
  }

  private long append(Installed plugin, int seq, OutputStream out) throws IOException {
    var piece = store.piece(plugin.digest(), seq).await().atMost(STORE_ANSWERS_WITHIN);
    if (piece.isEmpty()) {
      throw new IOException("the package of " + plugin.id() + " is not installed any more");
    }
    out.write(piece.get());
    return piece.get().length;
  }

  // Another process that uses the directory may have been first.
  private static void move(Path half, Path home) throws IOException {
    try {
      Files.move(half, home, StandardCopyOption.ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException e) {
      throw e;
    } catch (FileSystemException exists) {
      if (!Files.isDirectory(home)) {
        throw exists;
      }
    }
  }

  /** Removes what was installed when it was looked at last, and no longer is. */
  private void forgetGone(List<Installed> plugins) {
    var now = plugins.stream().map(Installed::digest).collect(Collectors.toSet());
    var before = seen == null ? leftovers() : seen;
    before.stream().filter(digest -> !now.contains(digest)).forEach(this::remove);
    seen = now;
  }

  /** What an earlier process left; another replica may be unpacking what is young. */
  private Set<String> leftovers() {
    var old = new HashSet<String>();
    var before = Instant.now().minus(YOUNG);
    try (var all = Files.newDirectoryStream(root.resolve("plugins"))) {
      for (var one : all) {
        if (Files.getLastModifiedTime(one).toInstant().isBefore(before)) {
          old.add(String.valueOf(one.getFileName()));
        }
      }
    } catch (IOException none) {
      LOG.debugf("No packages were unpacked here before: %s", none.getMessage());
    }
    return old;
  }

  private void remove(String digest) {
    var away = root.resolve("plugins").resolve(".gone-" + UUID.randomUUID());
    try {
      if (Files.exists(place(digest))) {
        Files.move(place(digest), away, StandardCopyOption.ATOMIC_MOVE);
        delete(away);
      }
    } catch (IOException kept) {
      LOG.warnf("A package that is not installed any more stays on the disk: %s", kept);
    }
  }

  private static void delete(Path tree) throws IOException {
    if (!Files.exists(tree)) {
      return;
    }
    try (var all = Files.walk(tree)) {
      for (var path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
