package io.fengyu.scheduler.testing;

import static java.util.Objects.requireNonNull;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Stands where agent-runtime and workflow-service would. Every workflow is published and needs
 * nobody, until a test says otherwise.
 */
public final class Neighbours {

  /** An answer of a neighbour. */
  private record Scripted(int status, String body) {}

  private static final class Holder {
    static final Neighbours ONLY = new Neighbours();
  }

  private final Vertx vertx = Vertx.vertx();
  private final HttpServer server;
  private final Map<String, Scripted> published = new ConcurrentHashMap<>();
  private final Map<String, Scripted> unattended = new ConcurrentHashMap<>();
  private volatile boolean unsandboxed;

  private Neighbours() {
    try {
      server =
          vertx
              .createHttpServer()
              .requestHandler(this::handle)
              .listen(0, "127.0.0.1")
              .toCompletionStage()
              .toCompletableFuture()
              .get(30, TimeUnit.SECONDS);
    } catch (Exception failed) {
      throw new IllegalStateException(failed);
    }
  }

  /** The only ones. */
  public static Neighbours get() {
    return Holder.ONLY;
  }

  /** Where both listen. */
  public String url() {
    return "http://127.0.0.1:" + server.actualPort();
  }

  /** What is answered about the publication of a workflow. */
  public void publication(String workflowId, int status, String body) {
    published.put(workflowId, new Scripted(status, body));
    unattended.put(workflowId, new Scripted(status, body));
  }

  /** What is answered about an unattended run of a workflow. */
  public void unattended(String workflowId, int status, String body) {
    unattended.put(workflowId, new Scripted(status, body));
  }

  /** Sets whether plugins run without a sandbox. */
  public void unsandboxed(boolean on) {
    unsandboxed = on;
  }

  private void handle(HttpServerRequest request) {
    var path = requireNonNull(request.path());
    if (path.equals("/api/settings")) {
      answer(request, new Scripted(200, "{\"unsandboxedPlugins\":" + unsandboxed + "}"));
    } else if (path.endsWith("/published")) {
      answer(request, published.getOrDefault(id(path), new Scripted(200, "{}")));
    } else if (path.endsWith("/unattended")) {
      answer(
          request,
          unattended.getOrDefault(
              id(path), new Scripted(200, "{\"valid\":true,\"steps\":[],\"unattendedOk\":true}")));
    } else {
      answer(request, new Scripted(503, "{\"code\":\"NOT_PLAYED\"}"));
    }
  }

  private static String id(String path) {
    return path.split("/", -1)[3];
  }

  private static void answer(HttpServerRequest request, Scripted scripted) {
    request
        .response()
        .setStatusCode(scripted.status)
        .putHeader("Content-Type", "application/json")
        .end(scripted.body);
  }
}
