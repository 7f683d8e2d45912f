package io.fengyu.agent.plugin.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.plugin.archive.Manifest.Method;
import io.fengyu.agent.plugin.market.Installed;
import io.fengyu.agent.plugin.schema.JsonContract;
import io.fengyu.agent.plugin.worker.WorkerException;
import io.fengyu.agent.plugin.worker.Workers;
import io.fengyu.agent.tool.ToolException;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.WeakHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Calls methods of plugins: files are put in place, and contracts are held on both sides. */
@ApplicationScoped
class PluginCalls {

  private final Workers workers;
  private final FileRefs refs;

  // As long as the manifest that declares them is in use.
  private final WeakHashMap<ObjectNode, JsonContract> contracts = new WeakHashMap<>();
  private final ReentrantLock compiling = new ReentrantLock();

  PluginCalls(Workers workers, FileRefs refs) {
    this.workers = workers;
    this.refs = refs;
  }

  /**
   * On whose behalf a call is made.
   *
   * @param invocationId the same for the same attempt
   * @param readable places that were granted
   * @param writable places that were granted, readable too
   */
  record Behalf(
      String owner,
      @Nullable String sessionId,
      @Nullable UUID runId,
      String invocationId,
      List<Path> readable,
      List<Path> writable) {}

  /** The result of a method, as the plugin made it. */
  JsonNode call(Installed plugin, String name, ObjectNode args, Behalf behalf, Duration timeout)
      throws ToolException, InterruptedException {
    var method = plugin.manifest().methods().get(name);
    if (method == null) {
      throw new ToolException("the plugin " + plugin.id() + " has no method " + name);
    }
    var put = refs.put(behalf.owner(), plugin.id(), args);
    checkArguments(method, args, put.args());
    var readable = new ArrayList<>(behalf.readable());
    var writable = new ArrayList<>(behalf.writable());
    readable.addAll(put.readable());
    writable.addAll(put.writable());
    var params = withSession(method, put.args(), behalf);
    try {
      var result =
          workers.call(
              plugin, new Workers.Call(name, params, context(behalf), readable, writable, timeout));
      checkResult(plugin, method, result);
      return result;
    } catch (WorkerException e) {
      var message = String.valueOf(e.getMessage());
      throw e.outcomeUnknown() ? ToolException.unknown(message) : new ToolException(message);
    }
  }

  // A file may be declared as what is handed in, or as what the plugin gets.
  private void checkArguments(Method method, ObjectNode asHandedIn, ObjectNode args)
      throws ToolException {
    var schema = method.inputSchema();
    if (schema == null) {
      return;
    }
    var contract = contract(schema);
    var violation = contract.violation(args);
    if (violation.isPresent() && contract.violation(asHandedIn).isPresent()) {
      throw new ToolException("the arguments break the tool's contract " + violation.get());
    }
  }

  // What was done is done, whatever is said about it.
  private void checkResult(Installed plugin, Method method, JsonNode result) throws ToolException {
    var schema = method.outputSchema();
    if (schema == null || failure(result)) {
      return;
    }
    var violation = contract(schema).violation(result);
    if (violation.isPresent()) {
      throw ToolException.unknown(
          "the result of the plugin " + plugin.id() + " breaks its contract " + violation.get());
    }
  }

  private static boolean failure(JsonNode result) {
    return result.path("success").isBoolean() && !result.path("success").booleanValue();
  }

  private JsonContract contract(ObjectNode schema) {
    compiling.lock();
    try {
      return contracts.computeIfAbsent(schema, JsonContract::of);
    } finally {
      compiling.unlock();
    }
  }

  /** What a plugin keeps between calls it keeps by session, so nobody chooses another's. */
  private static ObjectNode withSession(Method method, ObjectNode args, Behalf behalf) {
    var schema = method.inputSchema();
    if (schema == null || !schema.path("properties").has("sessionId") || behalf.runId() == null) {
      return args;
    }
    var params = args.deepCopy();
    params.put("sessionId", behalf.runId().toString());
    return params;
  }

  private static ObjectNode context(Behalf behalf) {
    var context = JsonNodeFactory.instance.objectNode();
    context.put("userId", behalf.owner());
    context.put("sessionId", behalf.sessionId());
    context.put("runId", behalf.runId() == null ? null : behalf.runId().toString());
    return context.put("operationId", behalf.invocationId());
  }
}
