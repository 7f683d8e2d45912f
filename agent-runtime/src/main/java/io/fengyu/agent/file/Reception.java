package io.fengyu.agent.file;

import io.fengyu.agent.file.Upload.Part;
import io.netty.handler.codec.DecoderException;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.file.AsyncFile;
import io.vertx.core.file.OpenOptions;
import io.vertx.core.http.HttpServerFileUpload;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;

/**
 * Writes one multipart request to disk while it arrives, as fast as the disk takes it, and gives it
 * up at the first byte too many. Runs on the event loop of its connection.
 */
final class Reception {

  private static final long LOOK_AT_DISK_EVERY = 8L << 20;

  private final Vertx vertx;
  private final FilesConfig config;
  private final HttpServerRequest request;
  private final UUID id = UUID.randomUUID();
  private final Path folder;
  private final List<Part> parts = new ArrayList<>();
  private final UniEmitter<? super Upload> emitter;
  private final Set<AsyncFile> writing = new HashSet<>();
  private final BodyTail tail;

  private int started;
  private int open;
  private long total;
  private long lookedAtDisk;
  private boolean ended;
  private boolean over;

  private Reception(
      Vertx vertx,
      FilesConfig config,
      Path uploads,
      HttpServerRequest request,
      UniEmitter<? super Upload> emitter) {
    this.vertx = vertx;
    this.config = config;
    this.request = request;
    this.emitter = emitter;
    folder = uploads.resolve(id.toString());
    tail = new BodyTail(request.getHeader("Content-Type"));
  }

  /** Emits what came once all of it is on disk; on a failure, nothing of it is left. */
  static Uni<Upload> of(Vertx vertx, FilesConfig config, Path uploads, HttpServerRequest request) {
    return Uni.createFrom()
        .emitter(emitter -> new Reception(vertx, config, uploads, request, emitter).begin());
  }

  private void begin() {
    var type = request.getHeader("Content-Type");
    if (type == null || !type.toLowerCase(Locale.ROOT).startsWith("multipart/form-data")) {
      fail(FileProblems.badUpload("the body is not multipart/form-data"));
      return;
    }
    try {
      Files.createDirectories(folder);
      checkDisk(declaredLength());
    } catch (IOException | RuntimeException e) {
      fail(e);
      return;
    }
    request.exceptionHandler(failure -> fail(named(failure)));
    request.handler(tail::add);
    request.endHandler(nothing -> end());
    request.uploadHandler(this::part);
    request.setExpectMultipart(true);
    request.resume();
  }

  private void part(HttpServerFileUpload upload) {
    if (over) {
      return;
    }
    if (++started > config.maxParts()) {
      fail(FileProblems.badUpload("it has more than " + config.maxParts() + " parts"));
      return;
    }
    var stored = folder.resolve("part-" + started);
    var position = parts.size();
    parts.add(new Part(upload.filename(), stored, 0));
    open++;
    upload.pause();
    vertx
        .fileSystem()
        .open(stored.toString(), new OpenOptions().setCreateNew(true).setWrite(true))
        .onSuccess(file -> receive(upload, file, position))
        .onFailure(this::fail);
  }

  private void receive(HttpServerFileUpload upload, AsyncFile file, int position) {
    var size = new long[1];
    if (over) {
      file.close();
      return;
    }
    writing.add(file);
    file.exceptionHandler(this::fail);
    upload.exceptionHandler(failure -> fail(named(failure)));
    upload.handler(bytes -> write(upload, file, bytes, size));
    upload.endHandler(
        nothing -> {
          if (writing.remove(file)) {
            file.close().onFailure(this::fail).onSuccess(closed -> stored(position, size[0]));
          }
        });
    upload.resume();
  }

  private void stored(int position, long size) {
    var part = parts.get(position);
    parts.set(position, new Part(part.name(), part.stored(), size));
    open--;
    finishIfComplete();
  }

  /** What the reader of multipart bodies does not understand is the caller's fault. */
  private static Throwable named(Throwable failure) {
    return failure instanceof DecoderException
        ? FileProblems.badUpload("the body is no well-formed multipart/form-data")
        : failure;
  }

  private void write(HttpServerFileUpload upload, AsyncFile file, Buffer bytes, long[] size) {
    if (over) {
      return;
    }
    size[0] += bytes.length();
    total += bytes.length();
    if (size[0] > config.maxFileBytes()) {
      fail(FileProblems.tooLarge(config.maxFileBytes()));
      return;
    }
    if (total > config.maxRequestBytes()) {
      fail(FileProblems.tooLarge(config.maxRequestBytes()));
      return;
    }
    try {
      checkDisk(0);
    } catch (IOException | RuntimeException e) {
      fail(e);
      return;
    }
    file.write(bytes).onFailure(this::fail);
    if (file.writeQueueFull()) {
      upload.pause();
      file.drainHandler(drained -> upload.resume());
    }
  }

  private void end() {
    ended = true;
    if (open > 0 && !tail.closes()) {
      fail(FileProblems.badUpload("it ends in the middle of a file"));
    }
    finishIfComplete();
  }

  private void finishIfComplete() {
    if (ended && open == 0 && !over) {
      over = true;
      var form = request.formAttributes();
      emitter.complete(
          new Upload(
              id,
              folder,
              List.copyOf(parts),
              form.getAll("paths"),
              Boolean.parseBoolean(form.get("writable"))));
    }
  }

  private void fail(Throwable failure) {
    if (over) {
      return;
    }
    over = true;
    writing.forEach(AsyncFile::close);
    writing.clear();
    // The rest of the body is not read: the connection cannot be used again.
    request.response().putHeader("Connection", "close");
    vertx
        .executeBlocking(
            () -> {
              Trees.delete(folder);
              return true;
            })
        .onComplete(deleted -> emitter.fail(failure));
  }

  private long declaredLength() {
    var length = request.getHeader("Content-Length");
    long declared = length != null && length.matches("[0-9]{1,18}") ? Long.parseLong(length) : 0;
    // Boundaries and headers of the parts come on top of the files.
    if (declared > config.maxRequestBytes() + (1L << 20)) {
      throw FileProblems.tooLarge(config.maxRequestBytes());
    }
    return declared;
  }

  private void checkDisk(long coming) throws IOException {
    if (coming == 0 && total - lookedAtDisk < LOOK_AT_DISK_EVERY) {
      return;
    }
    lookedAtDisk = total;
    if (Files.getFileStore(folder).getUsableSpace() - coming < config.keepFreeBytes()) {
      throw FileProblems.diskFull();
    }
  }
}
