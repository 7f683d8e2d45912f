package io.fengyu.agent.job;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.tool.JobSource;
import io.fengyu.agent.tool.ToolCall;
import io.fengyu.agent.tool.ToolException;
import jakarta.enterprise.context.ApplicationScoped;
import org.jspecify.annotations.Nullable;

/** Follows what tools have only accepted to what really came of it. */
@ApplicationScoped
public class Jobs {

  private final JobStore store;
  private final JobConfig config;
  private final ObjectMapper json;

  Jobs(JobStore store, JobConfig config, ObjectMapper json) {
    this.store = store;
    this.config = config;
    this.json = json;
  }

  /**
   * The result of a call whose tool answered {@code text}: that same text, or when it says {@code
   * async:true}, the result of the job it accepted. Blocks as long as the job takes; an interrupt
   * stops the job and returns when it has ended.
   *
   * @param tool its name in the catalog
   * @throws ToolException when nobody knows what came of the job
   */
  public String result(JobSource source, String tool, ToolCall call, String text)
      throws ToolException, InterruptedException {
    var accepted = accepted(text);
    if (accepted == null) {
      return text;
    }
    try {
      return new JobFollower(store, config, source, tool, call)
          .follow(accepted.get("job_id"))
          .toString();
    } catch (JobException e) {
      throw ToolException.unknown(String.valueOf(e.getMessage()));
    }
  }

  private @Nullable ObjectNode accepted(String text) {
    if (!text.contains("\"async\"")) {
      return null;
    }
    try {
      return json.readTree(text) instanceof ObjectNode told && told.path("async").asBoolean(false)
          ? told
          : null;
    } catch (JsonProcessingException plainText) {
      return null;
    }
  }
}
