package io.fengyu.agent.plugin.market;

import io.fengyu.agent.hook.PackagedHooks;
import io.fengyu.agent.plugin.PluginProblems;
import io.fengyu.agent.plugin.archive.ManifestReader;
import io.fengyu.agent.plugin.archive.PackageZip;
import io.fengyu.agent.tool.Plugin;
import io.quarkus.arc.All;
import io.quarkus.virtual.threads.VirtualThreads;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.unchecked.Unchecked;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/** Installs packages and takes them away, for the whole deployment. */
@ApplicationScoped
public class Market {

  private static final int LONGEST_HOOKS = 256 * 1024;
  private static final Duration STORED_WITHIN = Duration.ofMinutes(2);

  private final PluginStore store;
  private final PluginRegistry registry;
  private final List<Plugin> shipped;
  private final ExecutorService threads;

  Market(
      PluginStore store,
      PluginRegistry registry,
      @All List<Plugin> shipped,
      @VirtualThreads ExecutorService threads) {
    this.store = store;
    this.registry = registry;
    this.shipped = shipped;
    this.threads = threads;
  }

  /** Checks a package and installs it; an earlier version of it ends its work. */
  Uni<Installed> install(Path file) {
    return Uni.createFrom()
        .item(Unchecked.supplier(() -> checkedAndStored(file)))
        .runSubscriptionOn(threads)
        .call(registry::changed)
        .chain(this::one);
  }

  private String checkedAndStored(Path file) throws IOException {
    long size = Files.size(file);
    if (size > PackageZip.PACKED) {
      throw PluginProblems.tooLarge(PackageZip.PACKED);
    }
    var added = checked(file, size);
    try (var bytes = FileChannel.open(file)) {
      store.install(added, seq -> piece(bytes, seq, size)).await().atMost(STORED_WITHIN);
    }
    return added.id();
  }

  private PluginStore.Added checked(Path file, long size) throws IOException {
    try (var zip = PackageZip.open(file)) {
      var manifest = ManifestReader.of(zip);
      zip.check();
      if (shipped.stream().anyMatch(own -> own.id().equals(manifest.id()))) {
        throw PluginProblems.idReserved(manifest.id());
      }
      return new PluginStore.Added(
          manifest.id(), Digests.of(file), size, manifest.document().toString(), hooks(zip));
    }
  }

  private static @Nullable String hooks(PackageZip zip) throws IOException {
    var bytes = zip.read("hooks/hooks.json", LONGEST_HOOKS);
    if (bytes == null) {
      return null;
    }
    var text = new String(bytes, StandardCharsets.UTF_8);
    if (PackagedHooks.read(text).isEmpty()) {
      throw PluginProblems.packageInvalid("hooks/hooks.json", "it is no list of hooks");
    }
    return text;
  }

  private static byte[] piece(FileChannel bytes, int seq, long size) {
    long from = (long) seq * PluginStore.PIECE;
    var piece = ByteBuffer.allocate((int) Math.min(PluginStore.PIECE, size - from));
    try {
      while (piece.hasRemaining()) {
        if (bytes.read(piece, from + piece.position()) < 0) {
          throw new IOException("the upload is gone");
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return piece.array();
  }

  Uni<List<Installed>> all() {
    return registry.all();
  }

  /** The installed package of that id. */
  public Uni<Installed> one(String id) {
    return registry
        .all()
        .map(
            all ->
                all.stream()
                    .filter(plugin -> plugin.id().equals(id))
                    .findFirst()
                    .orElseThrow(PluginProblems::notFound));
  }

  /** Emits once it has taken effect here; everywhere else it does a moment later. */
  Uni<Installed> enable(String id, boolean enabled) {
    return store
        .enable(id, enabled)
        .invoke(Market::found)
        .call(registry::changed)
        .chain(() -> one(id));
  }

  Uni<Void> uninstall(String id) {
    return store.delete(id).invoke(Market::found).chain(registry::changed);
  }

  /** Trusts the hooks of a package as they are now, or no longer. */
  public Uni<Installed> trust(String id, boolean trusted) {
    return one(id)
        .chain(plugin -> store.trust(id, trusted, plugin.digest()))
        .invoke(Market::found)
        .call(registry::changed)
        .chain(() -> one(id));
  }

  private static void found(boolean found) {
    if (!found) {
      throw PluginProblems.notFound();
    }
  }
}
