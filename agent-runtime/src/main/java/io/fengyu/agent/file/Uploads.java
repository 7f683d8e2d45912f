package io.fengyu.agent.file;

import io.fengyu.agent.file.FileGrants.Granted;
import io.fengyu.agent.file.FileRef.Access;
import io.fengyu.agent.file.FileRef.Kind;
import io.fengyu.agent.file.Upload.Part;
import io.fengyu.agent.tool.Plugin;
import io.fengyu.agent.tool.Plugins;
import io.fengyu.agent.tool.SafeName;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Takes files in and hands out references to them. */
@ApplicationScoped
class Uploads {

  private static final int DEEPEST = 32;

  private final Vertx vertx;
  private final FilesConfig config;
  private final Layout layout;
  private final NativeRoots natives;
  private final Plugins plugins;
  private final FileGrants grants;
  private final DiskWork disk;

  Uploads(
      Vertx vertx,
      FilesConfig config,
      Layout layout,
      NativeRoots natives,
      Plugins plugins,
      FileGrants grants,
      DiskWork disk) {
    this.vertx = vertx;
    this.config = config;
    this.layout = layout;
    this.natives = natives;
    this.plugins = plugins;
    this.grants = grants;
    this.disk = disk;
  }

  /** Each file of the request becomes a reference for each plugin. */
  Uni<List<Granted>> files(String owner, HttpServerRequest request) {
    return receive(request).chain(upload -> orRemove(upload, mintFiles(owner, upload)));
  }

  /** The files of the request become one directory. */
  Uni<List<Granted>> directory(String owner, HttpServerRequest request) {
    return receive(request).chain(upload -> orRemove(upload, mintDirectory(owner, upload)));
  }

  /** A path of this machine, below an allowed root. */
  Uni<List<Granted>> nativePath(String owner, String path, Kind kind, boolean writable) {
    return disk.call(
            () ->
                natives
                    .resolve(path, kind == Kind.DIRECTORY)
                    .orElseThrow(() -> FileProblems.notNative("it is not below an allowed root")))
        .chain(
            real ->
                disk.call(() -> kind == Kind.FILE ? Files.size(real) : 0L)
                    .chain(
                        size ->
                            mintNative(
                                owner,
                                real,
                                kind,
                                writable ? Access.READ_WRITE : Access.READ,
                                size)));
  }

  private Uni<List<Granted>> mintNative(
      String owner, Path real, Kind kind, Access access, long size) {
    var name = String.valueOf(real.getFileName());
    return eligible(access.writes())
        .chain(
            receivers ->
                grants.mint(owner, receivers, name, kind, access, size, layout.store(real)));
  }

  private Uni<Upload> receive(HttpServerRequest request) {
    return Reception.of(vertx, config, layout.uploads(), request);
  }

  private Uni<List<Granted>> mintFiles(String owner, Upload upload) {
    if (upload.parts().isEmpty()) {
      return Uni.createFrom().failure(FileProblems.badUpload("it holds no file"));
    }
    return eligible(false)
        .chain(receivers -> mintFiles(owner, receivers, upload))
        .map(lists -> lists.stream().flatMap(List::stream).toList());
  }

  private Uni<List<List<Granted>>> mintFiles(String owner, List<Plugin> receivers, Upload upload) {
    return Multi.createFrom()
        .iterable(upload.parts())
        .onItem()
        .transformToUniAndConcatenate(part -> mintFile(owner, receivers, part))
        .collect()
        .asList();
  }

  private Uni<List<Granted>> mintFile(String owner, List<Plugin> receivers, Part part) {
    var name = SafeName.of(lastOf(part.name()));
    return disk.call(() -> named(part, name))
        .chain(
            file ->
                grants.mint(
                    owner,
                    receivers,
                    name,
                    Kind.FILE,
                    Access.READ,
                    part.size(),
                    layout.store(file)));
  }

  // Tools look at the ending of a file, so it keeps its name; each in a directory of its own, for
  // two may have the same.
  private static Path named(Part part, String name) throws IOException {
    var own =
        Files.createDirectories(part.stored().resolveSibling(part.stored().getFileName() + ".d"));
    return Files.move(part.stored(), own.resolve(name));
  }

  private Uni<List<Granted>> mintDirectory(String owner, Upload upload) {
    if (upload.parts().isEmpty()) {
      return Uni.createFrom().failure(FileProblems.badUpload("it holds no file"));
    }
    var access = upload.writable() ? Access.READ_WRITE : Access.READ;
    return disk.call(() -> arrange(upload))
        .chain(
            tree ->
                eligible(upload.writable())
                    .chain(
                        receivers ->
                            grants.mint(
                                owner,
                                receivers,
                                String.valueOf(tree.getFileName()),
                                Kind.DIRECTORY,
                                access,
                                upload.size(),
                                layout.store(tree))));
  }

  private static Path arrange(Upload upload) throws IOException {
    var paths = upload.paths().isEmpty() ? names(upload) : upload.paths();
    if (paths.size() != upload.parts().size()) {
      throw FileProblems.badUpload("there must be as many paths as files");
    }
    var tree = upload.folder().resolve("tree").resolve("upload");
    for (int i = 0; i < paths.size(); i++) {
      var place = tree.resolve(inside(paths.get(i)));
      try {
        Files.createDirectories(place.getParent());
        Files.move(upload.parts().get(i).stored(), place);
      } catch (FileAlreadyExistsException | NotDirectoryException e) {
        throw FileProblems.badUpload("two files have the same path");
      }
    }
    return onlyChild(tree, paths);
  }

  // Browsers send the name of the chosen directory in front of every path.
  private static Path onlyChild(Path tree, List<String> paths) {
    int slash = paths.getFirst().indexOf('/');
    if (slash <= 0) {
      return tree;
    }
    var first = paths.getFirst().substring(0, slash + 1);
    return paths.stream().allMatch(path -> path.startsWith(first))
        ? tree.resolve(first.substring(0, slash))
        : tree;
  }

  private static List<String> names(Upload upload) {
    return upload.parts().stream().map(part -> String.valueOf(part.name())).toList();
  }

  private static String inside(String path) {
    var parts = new ArrayList<>(List.of(path.split("/", -1)));
    var bad =
        parts.size() > DEEPEST
            || parts.stream().anyMatch(part -> !part.equals(SafeName.of(part)) && !hidden(part));
    if (bad) {
      throw FileProblems.badUpload("a path is not allowed");
    }
    return path;
  }

  // A name may begin with a dot; it may not be made of dots.
  private static boolean hidden(String part) {
    return part.length() > 1
        && part.startsWith(".")
        && !part.startsWith("..")
        && part.substring(1).equals(SafeName.of(part.substring(1)));
  }

  private static String lastOf(String path) {
    var name = path == null ? "" : path;
    return name.substring(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
  }

  private Uni<List<Plugin>> eligible(boolean writable) {
    return plugins
        .forFiles(writable)
        .invoke(
            receivers -> {
              if (receivers.isEmpty()) {
                throw FileProblems.noPlugin();
              }
            });
  }

  private <T> Uni<T> orRemove(Upload upload, Uni<T> minted) {
    return minted.onFailure().call(() -> disk.run(() -> Trees.delete(upload.folder())));
  }
}
