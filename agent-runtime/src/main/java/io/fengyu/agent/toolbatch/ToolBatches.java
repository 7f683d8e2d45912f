package io.fengyu.agent.toolbatch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.file.RunFiles;
import io.fengyu.agent.file.RunFiles.RunPlaces;
import io.fengyu.agent.guard.Guard;
import io.fengyu.agent.guard.Subject;
import io.fengyu.agent.run.ToolOutcome;
import io.fengyu.agent.scope.DataScopes;
import io.fengyu.agent.tool.Tool;
import io.fengyu.agent.tool.ToolCatalog;
import io.fengyu.agent.toolbatch.ToolBatch.Setting;
import io.fengyu.agent.turn.ToolConcurrency;
import io.fengyu.agent.workflow.FlowTools;
import io.fengyu.contract.net.Drain;
import io.fengyu.contract.net.Draining;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.Vertx;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Makes the tool calls of turns that are no runs of this service. */
@ApplicationScoped
class ToolBatches {

  private final ToolCatalog catalog;
  private final FlowTools flows;
  private final RunFiles files;
  private final Guard guard;
  private final BatchReceipts receipts;
  private final ToolConcurrency concurrency;
  private final BatchConfig config;
  private final Clock clock;
  private final Vertx vertx;
  private final Set<ToolBatch> running = ConcurrentHashMap.newKeySet();
  private final Map<String, Integer> byOwner = new HashMap<>();

  ToolBatches(
      ToolCatalog catalog,
      FlowTools flows,
      RunFiles files,
      Guard guard,
      BatchReceipts receipts,
      ToolConcurrency concurrency,
      BatchConfig config,
      Clock clock,
      Vertx vertx,
      Draining draining) {
    this.catalog = catalog;
    this.flows = flows;
    this.files = files;
    this.guard = guard;
    this.receipts = receipts;
    this.concurrency = concurrency;
    this.config = config;
    this.clock = clock;
    this.vertx = vertx;
    draining.awaits(running::size);
  }

  void deadline(@Observes Drain step) {
    if (step == Drain.DEADLINE) {
      running.forEach(ToolBatch::stop);
    }
  }

  /**
   * Whose calls they are.
   *
   * @param runId the turn or run of another service; null for none
   */
  record Asker(String owner, @Nullable UUID runId) {}

  /** What became of a batch; its receipts can be read by its id. */
  record Done(UUID batchId, List<BatchEnd> results) {}

  /**
   * Emits when every call has its end, or the time is over.
   *
   * @param whenGone takes what is to be done when nobody waits for the answer any more
   */
  Uni<Done> make(Asker asker, BatchRequest request, Consumer<Runnable> whenGone) {
    return make(asker, request, whenGone, end -> {});
  }

  /**
   * The same, and tells of every end when it comes.
   *
   * @param ended called on the threads of the calls
   */
  Uni<Done> make(
      Asker asker, BatchRequest request, Consumer<Runnable> whenGone, Consumer<BatchEnd> ended) {
    var id = UUID.randomUUID();
    return Uni.createFrom()
        .deferred(
            () -> {
              enter(asker.owner());
              return Uni.combine()
                  .all()
                  .unis(tools(asker.owner(), request), places(asker, request, id))
                  .asTuple()
                  .map(both -> batch(asker, request, id, both.getItem1(), both.getItem2(), ended))
                  .invoke(batch -> whenGone.accept(batch::stop))
                  .chain(batch -> run(batch, id))
                  .onTermination()
                  .invoke(() -> leave(asker.owner()));
            });
  }

  private Uni<Map<String, Tool>> tools(String owner, BatchRequest request) {
    return tools(owner, request.workflowId(), request.flowContext());
  }

  /** The catalog; for a turn about a workflow, with the tools of its canvas. */
  Uni<Map<String, Tool>> tools(
      String owner, @Nullable String workflow, @Nullable JsonNode flowContext) {
    var all = catalog.snapshot(owner);
    return workflow == null
        ? all
        : all.chain(tools -> flows.with(tools, owner, workflow, flowContext));
  }

  /**
   * What would be said to a call now.
   *
   * @param verdict {@code run}, {@code ask} or {@code deny}
   * @param effect null for an unknown tool
   * @param schema of the tool's arguments; null for an unknown tool
   */
  record Judged(
      String id,
      String verdict,
      String reason,
      @Nullable String effect,
      @Nullable ObjectNode schema) {}

  /** Judges calls without making them; no hook is asked, since that is done when they are made. */
  Uni<List<Judged>> judge(Asker asker, BatchRequest request) {
    var home = home(asker, request, UUID.randomUUID());
    return Uni.combine()
        .all()
        .unis(
            tools(asker.owner(), request),
            files.open(asker.owner(), home, home, request.sessionId()))
        .asTuple()
        .emitOn(task -> Thread.ofVirtual().name("judge").start(task))
        .map(
            both -> {
              var subject =
                  Subject.of(asker.owner(), request.mode())
                      .in(both.getItem2().workspace())
                      .within(guard.scopes().of(asker.owner(), request.sessionId()));
              return request.calls().stream()
                  .map(call -> judged(subject, both.getItem1().get(call.name()), call))
                  .toList();
            });
  }

  // Rules that can't be read deny the call when it is made.
  private Judged judged(Subject subject, @Nullable Tool tool, BatchCall call) {
    var args = call.args();
    if (tool == null || args == null) {
      return new Judged(call.id(), "run", "", null, null);
    }
    var verdict = guard.foresee(subject, tool.spec(), args, false);
    var word = verdict.denies() ? "deny" : verdict.asks() ? "ask" : "run";
    var spec = tool.spec();
    return new Judged(call.id(), word, verdict.reason(), spec.effect().wire(), spec.inputSchema());
  }

  private Uni<RunPlaces> places(Asker asker, BatchRequest request, UUID id) {
    var home = home(asker, request, id);
    return files.open(asker.owner(), home, home, request.sessionId());
  }

  /** Tools remember things for as long as the turn lasts, or the conversation. */
  private static UUID home(Asker asker, BatchRequest request, UUID id) {
    if (asker.runId() != null) {
      return asker.runId();
    }
    if (request.sessionId() == null) {
      return id;
    }
    var conversation = "conversation\n" + asker.owner() + "\n" + request.sessionId();
    return UUID.nameUUIDFromBytes(conversation.getBytes(StandardCharsets.UTF_8));
  }

  private ToolBatch batch(
      Asker asker,
      BatchRequest request,
      UUID id,
      Map<String, Tool> tools,
      RunPlaces places,
      Consumer<BatchEnd> ended) {
    var lasts = config.limit().plus(config.grace()).multipliedBy(2);
    var row = new BatchReceipts.Batch(id, asker.owner(), request.sessionId(), lasts);
    var subject =
        Subject.of(asker.owner(), request.mode())
            .in(places.workspace())
            .within(guard.scopes().of(asker.owner(), request.sessionId()));
    var work = asker.runId() == null ? null : asker.runId().toString();
    var place = new DataScopes.Place(asker.owner(), request.sessionId(), work);
    var setting =
        new Setting(
            row,
            asker.runId(),
            request.mode(),
            tools,
            (tool, args) -> guard.judge(subject, tool.spec(), args),
            (tool, args, outcome) -> tell(subject, place, tool, args, outcome),
            ended,
            places,
            receipts,
            clock);
    return new ToolBatch(setting, request.calls());
  }

  private void tell(
      Subject subject, DataScopes.Place place, Tool tool, ObjectNode args, ToolOutcome outcome) {
    var hooks = guard.hooks();
    switch (outcome) {
      case ToolOutcome.Answered(var text, var value) -> {
        guard.scopes().succeeded(place, tool.spec(), args, text);
        hooks.after(subject, tool.spec(), args, true, text);
      }
      case ToolOutcome.Refused(var error, var state) ->
          hooks.after(subject, tool.spec(), args, false, error);
    }
  }

  private Uni<Done> run(ToolBatch batch, UUID id) {
    return Uni.createFrom().emitter(answer -> launch(batch, id, answer));
  }

  private void launch(ToolBatch batch, UUID id, UniEmitter<? super Done> answer) {
    running.add(batch);
    var limit = vertx.setTimer(config.limit().toMillis(), late -> batch.stop());
    var last =
        vertx.setTimer(
            config.limit().plus(config.grace()).toMillis(),
            late -> answer.complete(new Done(id, batch.answers())));
    answer.onTermination(batch::stop);
    Thread.ofVirtual()
        .name("tools-" + id)
        .start(
            () -> {
              try {
                batch.run(concurrency.limit());
                answer.complete(new Done(id, batch.answers()));
              } catch (RuntimeException | Error broken) {
                answer.fail(broken);
              } finally {
                vertx.cancelTimer(limit);
                vertx.cancelTimer(last);
                running.remove(batch);
              }
            });
  }

  private void enter(String owner) {
    synchronized (byOwner) {
      int own = byOwner.getOrDefault(owner, 0);
      if (own >= config.perOwner()) {
        throw BatchProblems.busy(config.perOwner());
      }
      byOwner.put(owner, own + 1);
    }
  }

  private void leave(String owner) {
    synchronized (byOwner) {
      byOwner.computeIfPresent(owner, (unused, own) -> own == 1 ? null : own - 1);
    }
  }
}
