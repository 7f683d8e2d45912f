package io.fengyu.agent.file;

import com.fasterxml.jackson.databind.JsonNode;
import io.fengyu.agent.file.FileGrants.Stored;
import io.fengyu.agent.file.FileRef.Access;
import io.fengyu.agent.file.FileRef.Kind;
import io.fengyu.agent.file.RunGrants.RunGrant;
import io.fengyu.agent.tool.Plugin;
import io.fengyu.agent.tool.Plugins;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Turns the {@code files} of a start request into grants. Looks everything up before anything is
 * made, so a wrong entry leaves nothing to take back.
 */
@ApplicationScoped
class RequestedFiles {

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");
  private static final int MOST_ENTRIES = 256;
  private static final int MOST_REFS = 1024;

  private final FileGrants held;
  private final NativeRoots natives;
  private final Layout layout;
  private final Plugins plugins;
  private final DiskWork disk;

  RequestedFiles(
      FileGrants held, NativeRoots natives, Layout layout, Plugins plugins, DiskWork disk) {
    this.held = held;
    this.natives = natives;
    this.layout = layout;
    this.plugins = plugins;
    this.disk = disk;
  }

  Uni<List<RunGrant>> resolve(String owner, UUID runId, JsonNode files) {
    var refIds = refIds(files);
    return held.find(owner, refIds)
        .chain(stored -> receivers().map(to -> new Resolution(runId, stored, to)))
        .chain(resolution -> disk.call(() -> resolution.all(files)));
  }

  /** Who gets what is meant for all: for reading, and for writing. */
  private record Receivers(List<Plugin> reading, List<Plugin> writing) {}

  private Uni<Receivers> receivers() {
    return plugins
        .forFiles(false)
        .chain(reading -> plugins.forFiles(true).map(writing -> new Receivers(reading, writing)));
  }

  // Also the first look at the shape, so that nothing is asked of the database for nonsense.
  private static Set<String> refIds(JsonNode files) {
    if (!files.isArray() || files.size() > MOST_ENTRIES) {
      throw FileProblems.invalid("files", "it must be an array of at most " + MOST_ENTRIES);
    }
    var ids = new HashSet<String>();
    for (var entry : files) {
      for (var ref : entry.path("refs")) {
        ids.add(ref.path("ref").path("id").asText());
      }
    }
    if (ids.size() > MOST_REFS) {
      throw FileProblems.invalid("files", "it holds more than " + MOST_REFS + " references");
    }
    return ids;
  }

  private final class Resolution {

    private final UUID runId;
    private final Map<String, Stored> stored;
    private final Receivers receivers;
    private final Map<String, RunGrant> grants = new LinkedHashMap<>();

    Resolution(UUID runId, Map<String, Stored> stored, Receivers receivers) {
      this.runId = runId;
      this.stored = stored;
      this.receivers = receivers;
    }

    List<RunGrant> all(JsonNode files) {
      var names = new HashSet<String>();
      for (var entry : files) {
        var name = entry.path("name").asText();
        if (!NAME.matcher(name).matches()) {
          throw FileProblems.invalid(shorten(name), "its name must match " + NAME);
        }
        if (!names.add(name)) {
          throw FileProblems.invalid(name, "the name is there twice");
        }
        one(name, entry);
      }
      return List.copyOf(grants.values());
    }

    private void one(String name, JsonNode entry) {
      var refs = entry.hasNonNull("refs");
      var path = entry.hasNonNull("nativePath");
      var shared = entry.path("createSharedDirectory");
      if (!shared.isMissingNode() && !shared.isNull() && !shared.isBoolean()) {
        throw FileProblems.invalid(name, "createSharedDirectory must be true or false");
      }
      if (Stream.of(refs, path, shared.asBoolean()).filter(given -> given).count() != 1) {
        throw FileProblems.invalid(
            name, "it needs exactly one of refs, nativePath and createSharedDirectory");
      }
      if (refs) {
        references(name, entry.path("refs"));
      } else if (path) {
        nativePath(name, entry);
      } else {
        forAll(name, Kind.DIRECTORY, Access.READ_WRITE, layout.store(layout.shared(runId, name)));
      }
    }

    private void references(String name, JsonNode refs) {
      if (!refs.isArray() || refs.isEmpty()) {
        throw FileProblems.invalid(name, "refs must be a list that is not empty");
      }
      for (var entry : refs) {
        var found = stored.get(entry.path("ref").path("id").asText());
        if (found == null || !found.pluginId().equals(entry.path("pluginId").asText())) {
          throw FileProblems.invalid(name, "a reference is unknown or no longer good");
        }
        add(new RunGrant(name, found.pluginId(), found.kind(), limited(found), found.location()));
        add(new RunGrant(name, "", found.kind(), limited(found), found.location()));
      }
    }

    private Access limited(Stored found) {
      return found.access().writes() ? Access.READ_WRITE : Access.READ;
    }

    private void nativePath(String name, JsonNode entry) {
      var kind = entry.path("kind").asText("file");
      if (!kind.equals("file") && !kind.equals("directory")) {
        throw FileProblems.invalid(name, "kind must be file or directory");
      }
      var directory = kind.equals("directory");
      var writable = entry.path("writableDirectory").asBoolean();
      if (writable && !directory) {
        throw FileProblems.invalid(name, "only a directory can be writable");
      }
      var place =
          natives
              .resolve(entry.path("nativePath").asText(), directory)
              .orElseThrow(
                  () -> FileProblems.invalid(name, "the path is not below an allowed root"));
      forAll(
          name,
          directory ? Kind.DIRECTORY : Kind.FILE,
          writable ? Access.READ_WRITE : Access.READ,
          layout.store(place));
    }

    private void forAll(String name, Kind kind, Access access, String location) {
      var providers = new ArrayList<String>();
      providers.add("");
      (access.writes() ? receivers.writing : receivers.reading)
          .stream().map(Plugin::id).forEach(providers::add);
      providers.forEach(provider -> add(new RunGrant(name, provider, kind, access, location)));
    }

    // The first reference of a name is the one that counts for a provider.
    private void add(RunGrant grant) {
      grants.putIfAbsent(grant.name() + "/" + grant.pluginId(), grant);
    }

    private String shorten(String name) {
      return name.length() > 80 ? name.substring(0, 80) : name;
    }
  }
}
