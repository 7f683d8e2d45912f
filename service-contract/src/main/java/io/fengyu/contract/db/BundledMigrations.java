package io.fengyu.contract.db;

import io.quarkus.runtime.util.ClassPathUtils;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.flywaydb.core.api.ResourceProvider;
import org.flywaydb.core.api.resource.LoadableResource;
import org.jspecify.annotations.Nullable;

/** The migration files of one schema that this program brings along. */
final class BundledMigrations {

  private final String schema;
  private final String folder;

  /** The files of {@code folder} on the class path, which move {@code schema} on. */
  BundledMigrations(String schema, String folder) {
    this.schema = schema;
    this.folder = folder;
  }

  String schema() {
    return schema;
  }

  /** Version numbers as Flyway records them, without reading a file. */
  Set<String> versions() {
    var versions = new HashSet<String>();
    eachFile(file -> versions.add(versionOf(file.getFileName().toString())));
    return versions;
  }

  /** The files for Flyway, which cannot list the class path of a packaged Quarkus program. */
  ResourceProvider files() {
    var files = new TreeMap<String, String>(Comparator.naturalOrder());
    eachFile(file -> files.put(file.getFileName().toString(), read(file)));
    return new InMemory(
        files.entrySet().stream().map(f -> new Script(folder, f.getKey(), f.getValue())).toList());
  }

  private void eachFile(java.util.function.Consumer<Path> each) {
    try {
      ClassPathUtils.consumeAsPaths(folder, path -> listInto(path, each));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private static void listInto(Path path, java.util.function.Consumer<Path> each) {
    try (var files = Files.list(path)) {
      files.filter(file -> file.toString().endsWith(".sql")).forEach(each);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private static String versionOf(String fileName) {
    return fileName.substring(1, fileName.indexOf("__")).replace('_', '.');
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private record InMemory(List<Script> scripts) implements ResourceProvider {

    @Override
    public @Nullable LoadableResource getResource(String name) {
      return scripts.stream()
          .filter(s -> s.getAbsolutePath().equals(name))
          .findFirst()
          .orElse(null);
    }

    @Override
    public Collection<LoadableResource> getResources(String prefix, String[] suffixes) {
      return scripts.stream()
          .filter(s -> s.name.startsWith(prefix) && List.of(suffixes).contains(".sql"))
          .map(LoadableResource.class::cast)
          .toList();
    }
  }

  private static final class Script extends LoadableResource {

    private final String folder;
    private final String name;
    private final String text;

    Script(String folder, String name, String text) {
      this.folder = folder;
      this.name = name;
      this.text = text;
    }

    @Override
    public Reader read() {
      return new StringReader(text);
    }

    @Override
    public String getAbsolutePath() {
      return folder + "/" + name;
    }

    @Override
    public String getAbsolutePathOnDisk() {
      return getAbsolutePath();
    }

    @Override
    public String getFilename() {
      return name;
    }

    @Override
    public String getRelativePath() {
      return name;
    }
  }
}
