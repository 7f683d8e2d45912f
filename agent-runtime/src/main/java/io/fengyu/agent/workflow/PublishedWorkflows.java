package io.fengyu.agent.workflow;

import com.fasterxml.jackson.databind.JsonNode;
import io.fengyu.agent.tool.Tool;
import io.fengyu.agent.tool.ToolSource;
import io.fengyu.contract.client.InternalClient;
import io.fengyu.contract.client.Service;
import io.fengyu.contract.db.Listener;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jboss.logging.Logger;

/**
 * What an owner has published, as tools. Known until somebody publishes or takes back, on any
 * replica; while changes can't be heard, for a second only. While the workflows can't be asked for,
 * those known last are offered.
 */
@ApplicationScoped
class PublishedWorkflows implements ToolSource {

  static final String CHANNEL = "fengyu_workflows";

  private static final Logger LOG = Logger.getLogger(PublishedWorkflows.class);
  private static final Duration MEMORY = Duration.ofMinutes(5);
  private static final Duration SHORT_MEMORY = Duration.ofSeconds(1);
  private static final Duration PATIENCE = Duration.ofSeconds(1);
  private static final int MOST = 10_000;

  /**
   * @param certain false when they could not be asked for
   */
  private record Remembered(List<Tool> tools, long since, boolean certain) {

    boolean youngerThan(Duration age) {
      return System.nanoTime() - since < age.toNanos();
    }
  }

  private final InternalClient client;
  private final WorkflowCalls calls;
  private final Listener listener;
  private final ConcurrentHashMap<String, Remembered> known = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<String, List<Tool>> last = new ConcurrentHashMap<>();
  private final AtomicLong changes = new AtomicLong();

  PublishedWorkflows(InternalClient client, WorkflowCalls calls, Listener listener) {
    this.client = client;
    this.calls = calls;
    this.listener = listener;
  }

  void start(@Observes StartupEvent started) {
    listener.listen(CHANNEL, this::changed, this::forget);
  }

  @Override
  public int rank() {
    return WORKFLOW;
  }

  @Override
  public Uni<List<Tool>> tools(String owner) {
    var remembered = known.get(owner);
    return remembered != null && trusted(remembered)
        ? Uni.createFrom().item(remembered.tools)
        : read(owner);
  }

  private boolean trusted(Remembered remembered) {
    boolean hearing = listener.connected() && remembered.certain;
    return remembered.youngerThan(hearing ? MEMORY : SHORT_MEMORY);
  }

  private Uni<List<Tool>> read(String owner) {
    return Uni.createFrom()
        .deferred(
            () -> {
              long before = changes.get();
              return asked(owner).invoke(found -> remember(owner, found, before, true));
            })
        .onFailure()
        .recoverWithItem(failure -> away(owner, failure));
  }

  private Uni<List<Tool>> asked(String owner) {
    return client
        .get(Service.WORKFLOW, "/internal/published-workflows")
        .as(owner)
        .send()
        .ifNoItem()
        .after(PATIENCE)
        .fail()
        .map(answer -> tools(answer.body()));
  }

  private List<Tool> tools(JsonNode published) {
    var tools = new ArrayList<Tool>(published.size());
    published.forEach(one -> tools.add(new WorkflowTool(one, calls)));
    return List.copyOf(tools);
  }

  private List<Tool> away(String owner, Throwable failure) {
    LOG.debugf("Published workflows are not known now: %s", failure);
    var tools = last.getOrDefault(owner, List.of());
    remember(owner, tools, changes.get(), false);
    return tools;
  }

  // What was read while something changed may be older than the change.
  private void remember(String owner, List<Tool> tools, long before, boolean certain) {
    if (known.size() >= MOST) {
      known.clear();
      last.clear();
    }
    last.put(owner, tools);
    known.put(owner, new Remembered(tools, System.nanoTime(), certain));
    if (changes.get() != before) {
      known.remove(owner);
    }
  }

  private void changed(String owner) {
    changes.incrementAndGet();
    known.remove(owner);
  }

  private void forget() {
    changes.incrementAndGet();
    known.clear();
  }
}
