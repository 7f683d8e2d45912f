package io.fengyu.agent.plugin.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.guard.Guard;
import io.fengyu.agent.guard.PermissionMode;
import io.fengyu.agent.guard.Subject;
import io.fengyu.agent.guard.Verdict;
import io.fengyu.agent.plugin.PluginProblems;
import io.fengyu.agent.plugin.archive.Manifest.Method;
import io.fengyu.agent.plugin.market.Installed;
import io.fengyu.agent.tool.ToolException;
import io.fengyu.agent.tool.ToolSpec;
import io.quarkus.virtual.threads.VirtualThreads;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.unchecked.Unchecked;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;

/** Calls of methods that an admin makes directly. They pass the guard like those of anybody. */
@ApplicationScoped
class Invocations {

  private final PluginCalls calls;
  private final Guard guard;
  private final ExecutorService threads;

  Invocations(PluginCalls calls, Guard guard, @VirtualThreads ExecutorService threads) {
    this.calls = calls;
    this.guard = guard;
    this.threads = threads;
  }

  Uni<JsonNode> invoke(String owner, Installed plugin, String method, ObjectNode params) {
    return Uni.createFrom()
        .item(Unchecked.supplier(() -> called(owner, plugin, method, params)))
        .runSubscriptionOn(threads);
  }

  private JsonNode called(String owner, Installed plugin, String name, ObjectNode params)
      throws InterruptedException {
    if (!plugin.enabled()) {
      throw PluginProblems.disabled();
    }
    var method = plugin.manifest().methods().get(name);
    if (method == null) {
      throw PluginProblems.noMethod(name);
    }
    check(guard.judge(subject(owner), spec(plugin, name, method), params));
    try {
      return calls.call(plugin, name, params, behalf(owner), timeout(plugin, name));
    } catch (ToolException failed) {
      throw PluginProblems.callFailed(String.valueOf(failed.getMessage()));
    }
  }

  private static Subject subject(String owner) {
    return Subject.of(owner, PermissionMode.FULL_ACCESS);
  }

  // Nobody else can be asked here.
  private static void check(Verdict verdict) {
    if (verdict.denies() || verdict.asks()) {
      throw PluginProblems.denied(verdict.reason());
    }
  }

  private static ToolSpec spec(Installed plugin, String name, Method method) {
    return plugin.manifest().tools().stream()
        .filter(tool -> tool.method().equals(name))
        .findFirst()
        .map(tool -> PluginSpecs.of(plugin, tool))
        .orElseGet(() -> PluginSpecs.ofMethod(plugin, name, method));
  }

  private static PluginCalls.Behalf behalf(String owner) {
    return new PluginCalls.Behalf(
        owner, null, null, UUID.randomUUID().toString(), List.of(), List.of());
  }

  private static Duration timeout(Installed plugin, String method) {
    int ofTool =
        plugin.manifest().tools().stream()
            .filter(tool -> tool.method().equals(method))
            .mapToInt(tool -> tool.timeoutSeconds())
            .max()
            .orElse(0);
    return Duration.ofSeconds(plugin.manifest().timeoutSeconds(ofTool));
  }
}
