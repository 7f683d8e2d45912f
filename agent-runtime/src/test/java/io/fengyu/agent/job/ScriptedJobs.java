package io.fengyu.agent.job;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.tool.Effect;
import io.fengyu.agent.tool.JobSource;
import io.fengyu.agent.tool.Tool;
import io.fengyu.agent.tool.ToolCall;
import io.fengyu.agent.tool.ToolException;
import io.fengyu.agent.tool.ToolSpec;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;

/** A tool that accepts jobs and answers queries as the test has prepared; exists in tests only. */
@Singleton
class ScriptedJobs implements Tool, JobSource {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** What is known of one job: answers, the last of which is given again and again. */
  private static final Map<String, Queue<String>> ANSWERS = new ConcurrentHashMap<>();

  /** What was asked of the tool, in order: {@code call}, {@code status <seq>}, {@code cancel}. */
  private static final Map<String, List<String>> ASKED = new ConcurrentHashMap<>();

  /** Jobs that no request ends. */
  private static final Set<String> DEAF = ConcurrentHashMap.newKeySet();

  private final Jobs jobs;

  ScriptedJobs(Jobs jobs) {
    this.jobs = jobs;
  }

  /** Prepares answers, with single quotes; {@code lost} loses the answer. */
  static void job(String id, String... answers) {
    ANSWERS.put(id, new ConcurrentLinkedQueue<>(List.of(answers)));
  }

  /** From now on the job's server answers nothing and ends nothing. */
  static void silence(String id) {
    DEAF.add(id);
    job(id, "lost");
  }

  /** Forgets what was asked so far. */
  static void forget(String id) {
    ASKED.remove(id);
  }

  static List<String> asked(String id) {
    return ASKED.getOrDefault(id, List.of());
  }

  private static void note(String id, String what) {
    ASKED.computeIfAbsent(id, key -> new CopyOnWriteArrayList<>()).add(what);
  }

  @Override
  public ToolSpec spec() {
    var schema = JsonNodeFactory.instance.objectNode().put("type", "object");
    var name = "test_job";
    return new ToolSpec(
        name, name, schema, null, Effect.EXTERNAL, false, null, name, null, "1", null);
  }

  @Override
  public String call(ToolCall call) throws ToolException, InterruptedException {
    note(call.args().path("job_id").asText(), "call");
    var accepted = call.args().deepCopy().put("async", true);
    return jobs.result(this, "test_job", call, accepted.toString());
  }

  @Override
  public ObjectNode status(ToolCall call, String jobId, long afterSeq) throws IOException {
    note(jobId, "status " + afterSeq);
    var answers = ANSWERS.getOrDefault(jobId, new ConcurrentLinkedQueue<>());
    var answer = answers.size() > 1 ? answers.poll() : answers.peek();
    if (answer == null || answer.equals("lost")) {
      throw new IOException("connection lost");
    }
    try {
      var told = (ObjectNode) JSON.readTree(answer.replace('\'', '"'));
      return told.has("job_id") ? told : told.put("job_id", jobId);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(answer, e);
    }
  }

  @Override
  public boolean cancel(ToolCall call, String jobId) {
    note(jobId, "cancel");
    if (DEAF.contains(jobId)) {
      return false;
    }
    job(jobId, "{'status':'cancelled'}");
    return true;
  }
}
