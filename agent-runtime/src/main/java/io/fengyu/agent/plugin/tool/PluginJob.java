package io.fengyu.agent.plugin.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.plugin.archive.Manifest;
import io.fengyu.agent.plugin.archive.Manifest.DeclaredTool;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Long work of plugins: {@code x_start} accepts it, {@code x_status} tells how it goes, {@code
 * x_cancel} ends it. Told in the words that jobs of other tools are told in.
 */
final class PluginJob {

  private static final String START = "_start";
  private static final int MOST_LINES = 500;

  private PluginJob() {}

  /** The acceptance in a result; null for a result that is one, or a job nobody can follow. */
  static @Nullable ObjectNode accepted(Manifest manifest, DeclaredTool tool, JsonNode result) {
    if (!(result instanceof ObjectNode told)
        || !told.path("async").asBoolean(false)
        || !tool.method().endsWith(START)
        || !manifest.methods().containsKey(status(tool))) {
      return null;
    }
    var accepted = told.deepCopy();
    accepted.set("job_id", told.has("job_id") ? told.get("job_id") : told.path("jobId"));
    return accepted;
  }

  static String status(DeclaredTool tool) {
    return stem(tool) + "_status";
  }

  static String cancel(DeclaredTool tool) {
    return stem(tool) + "_cancel";
  }

  private static String stem(DeclaredTool tool) {
    return tool.method().endsWith(START)
        ? tool.method().substring(0, tool.method().length() - START.length())
        : tool.method();
  }

  static ObjectNode ofJob(String jobId) {
    return JsonNodeFactory.instance.objectNode().put("jobId", jobId);
  }

  static ObjectNode ofJob(String jobId, long cursor) {
    return ofJob(jobId).put("cursor", cursor);
  }

  /** {@code {status, logs, cursor, done, result}} as jobs are told elsewhere. */
  static ObjectNode told(String jobId, long before, JsonNode status) {
    var told = JsonNodeFactory.instance.objectNode().put("job_id", jobId);
    told.put("status", status.path("status").asText("").toLowerCase(Locale.ROOT));
    long cursor = Math.max(before, status.path("cursor").asLong(before));
    progress(told, before, cursor, status.path("logs"));
    told.put("progress_cursor", cursor);
    told.set("result", status.get("result"));
    if (status.has("error")) {
      told.set("error", status.get("error"));
    }
    return told;
  }

  // Lines have no numbers of their own: the last of them is at the cursor.
  private static void progress(ObjectNode told, long before, long cursor, JsonNode logs) {
    var progress = told.putArray("progress");
    int lines = (int) Math.min(Math.min(logs.size(), cursor - before), MOST_LINES);
    for (int i = 0; i < lines; i++) {
      var line = logs.get(logs.size() - lines + i);
      progress
          .addObject()
          .put("progress_seq", cursor - lines + 1 + i)
          .put("message", line.isTextual() ? line.textValue() : line.toString());
    }
  }
}
