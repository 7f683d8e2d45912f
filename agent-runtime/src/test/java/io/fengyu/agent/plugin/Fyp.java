package io.fengyu.agent.plugin;

import io.fengyu.sample.Worker;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Packages, put together by a test. JSON is written with single quotes. */
public final class Fyp {

  private final Map<String, byte[]> files = new LinkedHashMap<>();

  public static Fyp empty() {
    return new Fyp();
  }

  /**
   * A package whose process is a shell script: it defines {@code handle}, which is called for each
   * line with {@code $id} and {@code $line} set, and answers by {@code answer '{json}'}.
   *
   * @param tools declarations, as in {@code aiTools}
   */
  public static Fyp script(String id, String tools, String handle) {
    return empty()
        .manifest(
            "{'id':'%s','name':'Script','version':'1.0.0','permissions':['files.read'],"
                    .formatted(id)
                + "'backend':{'command':['/bin/sh','backend/worker.sh'],'callTimeoutSeconds':20},"
                + "'rpc':{'methods':{'work':{},'work_start':{},'work_status':{},'work_cancel':{}}},"
                + "'aiTools':["
                + tools
                + "]}")
        .file(
            "backend/worker.sh",
            """
            answer() { printf '{"jsonrpc":"2.0","id":%%s,"result":%%s}\\n' "$id" "$1"; }
            echo $$ >> "$FENGYU_PLUGIN_DATA/pids"
            handle() {
              %s
            }
            while read -r line; do
              id=$(printf %%s "$line" | sed -n 's/.*"id":\\([0-9]*\\).*/\\1/p')
              printf '%%s\\n' "$line" >> "$FENGYU_PLUGIN_DATA/lines"
              case "$line" in *'$/cancelRequest'*) [ -z "$CANCELS" ] || handle ;; *) handle ;; esac
            done
            """
                .formatted(handle));
  }

  /** The package of the repository. */
  public static Fyp sample() {
    try {
      var classes =
          Path.of(Worker.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      return Files.isDirectory(classes) ? sample(classes) : sampleJar(classes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Fyp sampleJar(Path jar) throws IOException {
    try (var zip = java.nio.file.FileSystems.newFileSystem(jar)) {
      return sample(zip.getPath("/"));
    }
  }

  private static Fyp sample(Path classes) throws IOException {
    var fyp = empty();
    var jar = new ByteArrayOutputStream();
    var manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, Worker.class.getName());
    try (var out = new JarOutputStream(jar, manifest);
        var all = Files.walk(classes)) {
      for (var path : all.filter(Files::isRegularFile).toList()) {
        var name = classes.relativize(path).toString();
        if (name.startsWith("package/")) {
          fyp.files.put(name.substring("package/".length()), Files.readAllBytes(path));
        } else if (name.endsWith(".class")) {
          out.putNextEntry(new ZipEntry(name));
          out.write(Files.readAllBytes(path));
        }
      }
    }
    fyp.files.put("backend/worker.jar", jar.toByteArray());
    return fyp;
  }

  public Fyp manifest(String json) {
    return file("manifest.json", json.replace('\'', '"'));
  }

  public Fyp file(String name, String text) {
    files.put(name, text.getBytes(StandardCharsets.UTF_8));
    return this;
  }

  /** Changes a text in a file that is there. */
  public Fyp with(String name, String old, String text) {
    var before = new String(files.getOrDefault(name, new byte[0]), StandardCharsets.UTF_8);
    if (!before.contains(old)) {
      throw new IllegalArgumentException(old + " is not in " + name);
    }
    return file(name, before.replace(old, text));
  }

  public byte[] zip() {
    var bytes = new ByteArrayOutputStream();
    try (var zip = new ZipOutputStream(bytes)) {
      for (var file : files.entrySet()) {
        zip.putNextEntry(new ZipEntry(file.getKey()));
        zip.write(file.getValue());
        zip.closeEntry();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }
}
