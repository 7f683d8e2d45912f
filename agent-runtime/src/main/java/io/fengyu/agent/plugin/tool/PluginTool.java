package io.fengyu.agent.plugin.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.job.Jobs;
import io.fengyu.agent.plugin.archive.Manifest.DeclaredTool;
import io.fengyu.agent.plugin.market.Installed;
import io.fengyu.agent.plugin.market.PluginRegistry;
import io.fengyu.agent.tool.Branches;
import io.fengyu.agent.tool.JobSource;
import io.fengyu.agent.tool.Tool;
import io.fengyu.agent.tool.ToolCall;
import io.fengyu.agent.tool.ToolException;
import io.fengyu.agent.tool.ToolSpec;
import io.fengyu.agent.tool.ToolWords;
import io.fengyu.agent.tool.command.NewFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** One tool of a package, as it was when the catalog was read. */
final class PluginTool implements Tool, JobSource {

  private final ToolSpec spec;
  private final DeclaredTool declared;
  private final String pluginId;
  private final PluginRegistry registry;
  private final PluginCalls calls;
  private final Jobs jobs;

  PluginTool(
      Installed plugin,
      DeclaredTool declared,
      PluginRegistry registry,
      PluginCalls calls,
      Jobs jobs) {
    this.spec = PluginSpecs.of(plugin, declared);
    this.declared = declared;
    this.pluginId = plugin.id();
    this.registry = registry;
    this.calls = calls;
    this.jobs = jobs;
  }

  @Override
  public ToolSpec spec() {
    return spec;
  }

  @Override
  public ToolWords words() {
    return new PluginWords(declared);
  }

  @Override
  public String call(ToolCall call) throws ToolException, IOException, InterruptedException {
    var plugin = current();
    var since = Instant.now();
    var result = ask(plugin, declared.method(), call.args(), call);
    for (var place : call.access().writable()) {
      tell(place, since, call);
    }
    return followed(plugin, call, result);
  }

  private static void tell(Path place, Instant since, ToolCall call) throws IOException {
    if (Files.isDirectory(place)) {
      NewFiles.tell(place, since, call.wrote());
    }
  }

  private String followed(Installed plugin, ToolCall call, JsonNode result)
      throws ToolException, InterruptedException {
    var accepted = PluginJob.accepted(plugin.manifest(), declared, result);
    return accepted == null
        ? text(result)
        : jobs.result(this, spec.name(), call, accepted.toString());
  }

  private static String text(JsonNode result) {
    return result.isTextual() ? result.textValue() : result.toString();
  }

  /** What was judged is what is called: a tool that is another one by now is not. */
  private Installed current() throws ToolException {
    var plugin = installed();
    boolean same =
        plugin.manifest().tools().stream()
            .filter(tool -> tool.name().equals(spec.name()))
            .anyMatch(tool -> PluginSpecs.of(plugin, tool).revision().equals(spec.revision()));
    if (!same) {
      throw new ToolException(
          "the plugin " + pluginId + " declares the tool '" + spec.name() + "' differently by now");
    }
    return plugin;
  }

  private Installed installed() throws ToolException {
    try {
      return registry
          .find(pluginId)
          .filter(Installed::enabled)
          .orElseThrow(() -> new ToolException("the plugin " + pluginId + " is not enabled"));
    } catch (RuntimeException away) {
      throw new ToolException("the plugin " + pluginId + " cannot be looked up now");
    }
  }

  private JsonNode ask(Installed plugin, String method, ObjectNode args, ToolCall call)
      throws ToolException, InterruptedException {
    var behalf =
        new PluginCalls.Behalf(
            call.owner(),
            call.sessionId(),
            call.runId(),
            call.invocationId(),
            only(call.access().readable(), call.access().writable()),
            call.access().writable());
    var timeout = Duration.ofSeconds(plugin.manifest().timeoutSeconds(declared.timeoutSeconds()));
    var branch =
        call.branches()
            .begin(Branches.Kind.PROCESS, "plugin:" + pluginId + ":" + call.invocationId());
    try (branch) {
      return calls.call(plugin, method, args, behalf, timeout);
    }
  }

  private static List<Path> only(List<Path> readable, List<Path> writable) {
    return readable.stream().filter(path -> !writable.contains(path)).toList();
  }

  @Override
  public ObjectNode status(ToolCall call, String jobId, long afterSeq)
      throws IOException, ToolException, InterruptedException {
    var plugin = installed();
    var method = PluginJob.status(declared);
    return PluginJob.told(
        jobId, afterSeq, askAgain(plugin, method, PluginJob.ofJob(jobId, afterSeq), call));
  }

  @Override
  public boolean cancel(ToolCall call, String jobId)
      throws IOException, ToolException, InterruptedException {
    var plugin = installed();
    var method = PluginJob.cancel(declared);
    if (!plugin.manifest().methods().containsKey(method)) {
      return false;
    }
    askAgain(plugin, method, PluginJob.ofJob(jobId), call);
    return true;
  }

  private JsonNode askAgain(Installed plugin, String method, ObjectNode args, ToolCall call)
      throws IOException, ToolException, InterruptedException {
    try {
      return ask(plugin, method, args, call);
    } catch (ToolException e) {
      if (e.outcomeUnknown()) {
        throw new IOException(e.getMessage());
      }
      throw e;
    }
  }
}
