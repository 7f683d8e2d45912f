package io.fengyu.agent.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.tool.Branches;
import io.fengyu.agent.tool.JobProgress;
import io.fengyu.agent.tool.JobSource;
import io.fengyu.agent.tool.ToolCall;
import io.fengyu.agent.tool.ToolException;
import io.smallrye.mutiny.Uni;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Follows one call's job, and whatever jobs it hands over to, on the thread of the call. */
final class JobFollower {

  private static final Logger LOG = Logger.getLogger(JobFollower.class);
  private static final Duration STORE_ANSWERS_WITHIN = Duration.ofSeconds(10);
  private static final int TRIES = 3;
  private static final int SLOWEST = 5;
  private static final int KEPT_PROGRESS = 100;
  private static final int MOST_SHOWN = 1_000;

  private final JobStore store;
  private final JobConfig config;
  private final JobSource source;
  private final String tool;
  private final ToolCall call;
  // Outside of a run nobody asks for a job, so none is written down.
  private final boolean inRun;
  private final Set<String> chain = new HashSet<>();
  private final long deadline;
  private final JobStore.@Nullable Key leftBehind;
  private int shown;

  // The job that is followed right now.
  private String id = "";
  private long cursor;
  private final Deque<JobProgress> latest = new ArrayDeque<>();
  private boolean cancelSent;
  private boolean written;

  JobFollower(JobStore store, JobConfig config, JobSource source, String tool, ToolCall call) {
    this(store, config, source, tool, call, null);
  }

  /** For a job that whoever followed it has left behind. */
  static JobFollower ofLeft(
      JobStore store, JobConfig config, JobSource source, ToolCall call, JobStore.Key job) {
    return new JobFollower(store, config, source, job.tool(), call, job);
  }

  private JobFollower(
      JobStore store,
      JobConfig config,
      JobSource source,
      String tool,
      ToolCall call,
      JobStore.@Nullable Key leftBehind) {
    this.store = store;
    this.config = config;
    this.source = source;
    this.tool = tool;
    this.call = call;
    this.inRun = !call.branches().equals(Branches.NONE) && call.runId() != null;
    this.leftBehind = leftBehind;
    this.deadline = System.nanoTime() + config.longest().toNanos();
  }

  /** The real result, with {@code async:false}. */
  ObjectNode follow(@Nullable JsonNode first) throws JobException, InterruptedException {
    if (first == null || !JobStatus.isId(first)) {
      throw JobException.protocol("a job was accepted, but it has no id");
    }
    var parent = (String) null;
    JsonNode next = first;
    while (true) {
      var last = one(next.textValue(), parent);
      parent = id;
      if (last.state() != JobStatus.State.DONE || last.next() == null) {
        return result(last);
      }
      next = child(last.next());
    }
  }

  private JsonNode child(JsonNode next) throws JobException {
    if (!JobStatus.isId(next) || chain.contains(next.textValue())) {
      throw new JobException("JOB_CHAIN_INVALID", "the job hands over to no new job");
    }
    return next;
  }

  /** From its registration to its end. */
  private JobStatus one(String jobId, @Nullable String parent)
      throws JobException, InterruptedException {
    id = jobId;
    cursor = 0;
    latest.clear();
    chain.add(jobId);
    var branch = call.branches().begin(Branches.Kind.JOB, jobId);
    try {
      register(parent);
      return toItsEnd();
    } catch (InterruptedException stopped) {
      stop();
      throw stopped;
    } finally {
      branch.close();
    }
  }

  private void register(@Nullable String parent) throws InterruptedException {
    if (!inRun) {
      return;
    }
    Optional<Boolean> taken =
        stored(store.register(key(), parent).map(Optional::<Boolean>of), Optional.empty());
    written = taken.isPresent();
    if (written && !taken.get()) {
      throw new InterruptedException("the run takes no jobs any more");
    }
  }

  private JobStore.Key key() {
    if (leftBehind != null) {
      return leftBehind.of(id);
    }
    var runId = Objects.requireNonNull(call.runId());
    return new JobStore.Key(
        runId, tool, id, UUID.fromString(call.invocationId()), call.generation());
  }

  private JobStatus toItsEnd() throws JobException, InterruptedException {
    for (int query = 1; ; query++) {
      var status = query();
      take(status);
      if (status.state().over() && !status.more()) {
        return status;
      }
      if (System.nanoTime() > deadline) {
        stop();
        throw new JobException("JOB_TIMEOUT", "the job did not end in time");
      }
      if (!status.more()) {
        Thread.sleep(config.pollEvery().multipliedBy(Math.min(query, SLOWEST)));
      }
    }
  }

  /** A lost answer is asked for again; the call itself is never made again. */
  private JobStatus query() throws JobException, InterruptedException {
    for (int attempt = 1; ; attempt++) {
      try {
        return JobStatus.read(source.status(call, id, cursor), id, cursor);
      } catch (IOException | ToolException lost) {
        if (attempt == TRIES) {
          throw new JobException("JOB_STATUS_UNAVAILABLE", String.valueOf(lost.getMessage()));
        }
        Thread.sleep(config.pollEvery());
      }
    }
  }

  private void take(JobStatus status) throws JobException, InterruptedException {
    for (var progress : status.progress()) {
      latest.addLast(progress);
      if (latest.size() > KEPT_PROGRESS) {
        latest.removeFirst();
      }
      if (shown++ < MOST_SHOWN) {
        call.progress().of(id, progress);
      }
    }
    cursor = status.cursor();
    if (!written) {
      return;
    }
    var wish = stored(store.update(key(), status, latest), Optional.of(false));
    if (wish.isEmpty()) {
      throw new JobException("JOB_FOLLOWED_ELSEWHERE", "a later stage of the run has the job");
    }
    if (wish.get() && !cancelSent && !status.state().over()) {
      cancelSent = true;
      askForItsEnd();
    }
  }

  // A database that is away does not stop a job.
  private <T> T stored(Uni<T> write, T otherwise) throws InterruptedException {
    try {
      return write.await().atMost(STORE_ANSWERS_WITHIN);
    } catch (RuntimeException away) {
      if (Thread.interrupted()) {
        throw new InterruptedException("stopped");
      }
      LOG.warnf("Job %s is not written down now: %s", id, away.getMessage());
      return otherwise;
    }
  }

  private void askForItsEnd() throws InterruptedException {
    try {
      if (!source.cancel(unstopped(), id)) {
        LOG.infof("The server of job %s knows no way to end it", id);
      }
    } catch (IOException | ToolException refused) {
      LOG.warnf("Job %s was not told to end: %s", id, refused.getMessage());
    }
  }

  // The call was stopped; asking for the end of its job goes on.
  private ToolCall unstopped() {
    return call.stopping();
  }

  /** Ends a job that was left behind; false when nobody can tell what became of it. */
  boolean end(String jobId) {
    id = jobId;
    written = true;
    chain.add(jobId);
    return stop();
  }

  /** Ends the job and what it hands over to; returns when that is certain, or after long. */
  private boolean stop() {
    long patience = System.nanoTime() + config.stopPatience().toNanos();
    try {
      askForItsEnd();
      for (int query = 1; System.nanoTime() < patience; query++) {
        if (ended()) {
          return true;
        }
        Thread.sleep(config.pollEvery().multipliedBy(Math.min(query, SLOWEST)));
      }
      LOG.errorf("Nobody knows what became of job %s, which was told to end", id);
    } catch (InterruptedException twice) {
      LOG.warnf("Job %s is not followed to its end", id);
    }
    return false;
  }

  private boolean ended() throws InterruptedException {
    try {
      var status = JobStatus.read(source.status(unstopped(), id, cursor), id, cursor);
      cursor = status.cursor();
      if (written) {
        var unused = stored(store.update(key(), status, latest), Optional.of(false));
      }
      if (status.state() == JobStatus.State.DONE && status.next() != null) {
        id = child(status.next()).textValue();
        cursor = 0;
        chain.add(id);
        askForItsEnd();
        return false;
      }
      return status.state().over();
    } catch (IOException | ToolException | JobException silent) {
      return false;
    }
  }

  private ObjectNode result(JobStatus last) throws JobException {
    var told = last.result();
    return switch (last.state()) {
      case FAILED -> failure("JOB_FAILED", reason(last, "the job failed"));
      case CANCELLED -> failure("JOB_CANCELLED", "the job was cancelled");
      default -> {
        if (!last.usable() || told == null) {
          yield failure("JOB_RESULT_UNAVAILABLE", "the job is done, but has no result");
        }
        var result =
            told instanceof ObjectNode members
                ? members.deepCopy()
                : JsonNodeFactory.instance.objectNode().set("result", told);
        yield ((ObjectNode) result).put("async", false).put("job_id", id);
      }
    };
  }

  private static String reason(JobStatus last, String otherwise) {
    var told = last.result() == null ? null : last.result().get("error");
    if (told != null && told.isTextual()) {
      return told.textValue();
    }
    return last.error() == null ? otherwise : last.error();
  }

  private ObjectNode failure(String code, String why) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("success", false)
        .put("code", code)
        .put("error", code + ": " + why)
        .put("async", false)
        .put("job_id", id);
  }
}
