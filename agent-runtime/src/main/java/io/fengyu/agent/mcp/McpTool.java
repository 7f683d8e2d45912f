package io.fengyu.agent.mcp;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.job.Jobs;
import io.fengyu.agent.tool.JobSource;
import io.fengyu.agent.tool.Tool;
import io.fengyu.agent.tool.ToolCall;
import io.fengyu.agent.tool.ToolException;
import io.fengyu.agent.tool.ToolSpec;
import java.io.IOException;
import java.util.UUID;

/** One tool of a server, as it was when the catalog was read. */
final class McpTool implements Tool, JobSource {

  private static final String STATUS = "get_job_status";
  private static final String CANCEL = "cancel_job";

  private final String tool;
  private final ToolSpec spec;
  private final UUID server;
  private final McpCalls calls;
  private final Jobs jobs;

  McpTool(String tool, ToolSpec spec, UUID server, McpCalls calls, Jobs jobs) {
    this.tool = tool;
    this.spec = spec;
    this.server = server;
    this.calls = calls;
    this.jobs = jobs;
  }

  @Override
  public ToolSpec spec() {
    return spec;
  }

  @Override
  public String call(ToolCall call) throws ToolException, InterruptedException {
    var text = McpResults.text(calls.call(server, tool, call.args(), call));
    return jobs.result(this, spec.name(), call, text);
  }

  @Override
  public ObjectNode status(ToolCall call, String jobId, long afterSeq)
      throws IOException, ToolException, InterruptedException {
    var args = JsonNodeFactory.instance.objectNode().put("job_id", jobId);
    var answer = McpResults.structured(ask(STATUS, args.put("after_seq", afterSeq), call));
    if (answer == null) {
      throw new ToolException("The server does not say how the job goes");
    }
    return answer;
  }

  @Override
  public boolean cancel(ToolCall call, String jobId)
      throws IOException, ToolException, InterruptedException {
    var args = JsonNodeFactory.instance.objectNode().put("job_id", jobId);
    return !ask(CANCEL, args, call).path("isError").asBoolean(false);
  }

  private ObjectNode ask(String method, ObjectNode args, ToolCall call)
      throws IOException, ToolException, InterruptedException {
    try {
      return calls.call(server, method, args, call);
    } catch (ToolException e) {
      if (e.outcomeUnknown()) {
        throw new IOException(e.getMessage());
      }
      throw e;
    }
  }
}
