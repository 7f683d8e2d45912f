package io.fengyu.webhook.testing;

import static java.util.Objects.requireNonNull;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Stands where agent-runtime, workflow-service and task-scheduler would. Every workflow is
 * published and needs nobody, and every task is taken and stays queued, until a test says
 * otherwise.
 */
public final class Neighbours {

  private record Scripted(int status, String body) {}

  private static final class Holder {
    static final Neighbours ONLY = new Neighbours();
  }

  private final Vertx vertx = Vertx.vertx();
  private final HttpServer server;
  private final Map<String, Scripted> unattended = new ConcurrentHashMap<>();
  private final Map<String, Scripted> admission = new ConcurrentHashMap<>();
  private final Map<String, JsonObject> tasks = new ConcurrentHashMap<>();
  private final List<JsonObject> submitted = new CopyOnWriteArrayList<>();
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

  /** Where all of them listen. */
  public String url() {
    return "http://127.0.0.1:" + server.actualPort();
  }

  /** What is answered about an unattended run of a workflow. */
  public void unattended(String workflowId, int status, String body) {
    unattended.put(workflowId, new Scripted(status, body));
  }

  /** What is answered to who submits tasks of a workflow; status 0 takes them again. */
  public void admission(String workflowId, int status, String body) {
    if (status == 0) {
      admission.remove(workflowId);
    } else {
      admission.put(workflowId, new Scripted(status, body));
    }
  }

  /** Has the tasks of a workflow end, or go on. */
  public void tasksAre(
      String workflowId, String status, @Nullable String errorCode, @Nullable String output) {
    tasks.replaceAll(
        (id, task) ->
            workflowId.equals(task.getString("workflowId"))
                ? task.copy()
                    .put("status", status)
                    .put("errorCode", errorCode)
                    .put("output", output)
                : task);
  }

  /** Every task of a workflow that was taken, as it was sent, once for each id. */
  public List<JsonObject> tasksOf(String workflowId) {
    return submitted.stream()
        .filter(task -> workflowId.equals(task.getString("workflowId")))
        .toList();
  }

  /** Sets whether plugins run without a sandbox. */
  public void unsandboxed(boolean on) {
    unsandboxed = on;
  }

  private void handle(HttpServerRequest request) {
    request.body().onSuccess(body -> answer(request, body.toString()));
  }

  private void answer(HttpServerRequest request, String body) {
    var path = requireNonNull(request.path());
    if (path.equals("/api/settings")) {
      send(request, new Scripted(200, "{\"unsandboxedPlugins\":" + unsandboxed + "}"));
    } else if (path.endsWith("/published")) {
      send(request, new Scripted(200, "{}"));
    } else if (path.endsWith("/unattended")) {
      var id = path.split("/", -1)[3];
      send(
          request,
          unattended.getOrDefault(
              id, new Scripted(200, "{\"valid\":true,\"steps\":[],\"unattendedOk\":true}")));
    } else if (path.equals("/internal/tasks")) {
      send(request, take(new JsonObject(body)));
    } else if (path.equals("/internal/tasks/states")) {
      send(request, states(new JsonObject(body)));
    } else {
      var task = tasks.get(path.substring(path.lastIndexOf('/') + 1));
      send(
          request,
          task == null
              ? new Scripted(404, "{\"code\":\"TASK_NOT_FOUND\"}")
              : new Scripted(200, task.encode()));
    }
  }

  private Scripted take(JsonObject task) {
    var refusal = admission.get(task.getString("workflowId"));
    if (refusal != null) {
      return refusal;
    }
    if (tasks.putIfAbsent(task.getString("taskId"), task.copy().put("status", "queued")) == null) {
      submitted.add(task);
    }
    return new Scripted(200, requireNonNull(tasks.get(task.getString("taskId"))).encode());
  }

  private Scripted states(JsonObject asked) {
    var known = new JsonArray();
    for (var id : asked.getJsonArray("taskIds")) {
      var task = tasks.get(String.valueOf(id));
      if (task != null) {
        known.add(task);
      }
    }
    return new Scripted(200, known.encode());
  }

  private static void send(HttpServerRequest request, Scripted scripted) {
    request
        .response()
        .setStatusCode(scripted.status)
        .putHeader("Content-Type", "application/json")
        .end(scripted.body);
  }
}
