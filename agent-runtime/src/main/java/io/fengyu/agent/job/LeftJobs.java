package io.fengyu.agent.job;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.fengyu.agent.job.JobStore.Left;
import io.fengyu.agent.journal.StoredRun;
import io.fengyu.agent.tool.JobSource;
import io.fengyu.agent.tool.Tool;
import io.fengyu.agent.tool.ToolCall;
import io.fengyu.agent.tool.ToolCatalog;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.jboss.logging.Logger;

/**
 * Ends jobs that nobody follows, because the process that did has died: their servers are told, and
 * asked until they say that it is over. Only at somebody's request; a job that was left alone may
 * still do its work.
 */
@ApplicationScoped
public class LeftJobs {

  private static final Logger LOG = Logger.getLogger(LeftJobs.class);
  private static final Duration STORE_ANSWERS_WITHIN = Duration.ofSeconds(10);
  private static final int AT_ONCE = 64;

  private static final String UNKNOWN =
      JsonNodeFactory.instance
          .objectNode()
          .put("success", false)
          .put("code", "JOB_OUTCOME_UNKNOWN")
          .put("error", "The job was left behind, and nobody tells what became of it")
          .toString();

  private final JobStore store;
  private final JobConfig config;
  private final ToolCatalog catalog;
  private final Set<JobStore.Key> ending = ConcurrentHashMap.newKeySet();
  private final Semaphore places = new Semaphore(AT_ONCE);

  LeftJobs(JobStore store, JobConfig config, ToolCatalog catalog) {
    this.store = store;
    this.config = config;
    this.catalog = catalog;
  }

  /** Begins to end what a run that was interrupted has left; emits before that is done. */
  public Uni<Void> endOf(StoredRun run) {
    return run.interrupted()
        ? store.leftOfRun(run.owner(), run.id()).chain(left -> end(run.owner(), left))
        : Uni.createFrom().voidItem();
  }

  /** Likewise for one job; nothing happens to one that is followed. */
  Uni<Void> end(String owner, String jobId) {
    return store.leftById(owner, jobId).chain(left -> end(owner, left));
  }

  private Uni<Void> end(String owner, List<Left> left) {
    return left.isEmpty()
        ? Uni.createFrom().voidItem()
        : catalog
            .snapshot(owner)
            .invoke(tools -> left.forEach(job -> begin(job, tools)))
            .replaceWithVoid();
  }

  private void begin(Left job, Map<String, Tool> tools) {
    if (ending.contains(job.key()) || !places.tryAcquire()) {
      return;
    }
    ending.add(job.key());
    Thread.ofVirtual().name("job-" + job.key().jobId()).start(() -> end(job, tools));
  }

  private void end(Left job, Map<String, Tool> tools) {
    var key = job.key();
    try {
      if (!(tools.get(key.tool()) instanceof JobSource source) || !ended(job, source)) {
        store.lose(key, UNKNOWN).await().atMost(STORE_ANSWERS_WITHIN);
      }
    } catch (RuntimeException away) {
      LOG.warnf("The end of job %s is not written down: %s", key.jobId(), away.getMessage());
    } finally {
      ending.remove(key);
      places.release();
    }
  }

  private boolean ended(Left job, JobSource source) {
    var key = job.key();
    var call =
        ToolCall.madeEarlier(
            job.owner(),
            job.sessionId(),
            key.runId(),
            key.generation(),
            key.invocationId().toString());
    return JobFollower.ofLeft(store, config, source, call, key).end(key.jobId());
  }
}
