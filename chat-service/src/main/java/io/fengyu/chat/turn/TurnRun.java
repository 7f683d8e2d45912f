package io.fengyu.chat.turn;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.chat.context.Compaction;
import io.fengyu.chat.journal.LiveTurn;
import io.fengyu.chat.journal.LostTurnException;
import io.fengyu.chat.journal.TurnEnd;
import io.fengyu.chat.journal.TurnStatus;
import io.fengyu.chat.journal.TurnStore;
import io.fengyu.chat.model.Backend;
import io.fengyu.chat.model.ModelFailure;
import io.fengyu.chat.model.ModelMessage;
import io.fengyu.chat.model.ModelRequest;
import io.fengyu.contract.model.ModelTurn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jboss.logging.Logger;

/** A turn at work, on a virtual thread of its own: from the first request to the last event. */
final class TurnRun implements Runnable {

  private static final Logger LOG = Logger.getLogger(TurnRun.class);
  private static final Duration ENDED_WITHIN = Duration.ofSeconds(75);

  private final LiveTurn turn;
  private final TurnPlan plan;
  private final TurnTools tools;
  private final Usage usage;
  private final ToolRound round;
  private final CallIds ids = new CallIds();
  private List<ModelMessage> talk;
  private boolean summaryTried;
  private boolean compacted;
  private long estimate;

  /** What every turn works with. */
  record TurnTools(
      io.fengyu.chat.model.ModelGateway gateway,
      ToolDoor door,
      Approvals approvals,
      Compaction compaction,
      TurnStore store,
      io.fengyu.chat.journal.TurnConfig limits) {}

  TurnRun(LiveTurn turn, TurnPlan plan, TurnTools tools) {
    this.turn = turn;
    this.plan = plan;
    this.tools = tools;
    this.usage = new Usage(plan.budget());
    this.round = new ToolRound(turn, plan, tools.door(), tools.approvals(), usage, tools.limits());
    this.talk = new ArrayList<>(plan.request().messages());
  }

  @Override
  public void run() {
    var self = Thread.currentThread();
    turn.onStop(self::interrupt);
    TurnEnd end;
    try {
      end = work();
    } catch (LostTurnException lost) {
      return;
    } catch (ModelFailure failed) {
      end = stopped() ? cancelled() : failed(failed);
    } catch (InterruptedException stop) {
      end = cancelled();
    } catch (RuntimeException broken) {
      end = stopped() ? cancelled() : broken(broken);
    }
    turn.onStop(null);
    var unused = Thread.interrupted();
    finish(end);
  }

  private boolean stopped() {
    return turn.stopRequested();
  }

  private void finish(TurnEnd end) {
    try {
      round.abandon(
          end.status() == TurnStatus.CANCELLED ? "The turn was cancelled" : "The turn ended");
      var ended = tools.store().end(turn, end).await().atMost(ENDED_WITHIN);
      if (ended == TurnStore.Ended.CANCELLED_FIRST) {
        tools.store().end(turn, cancelled()).await().atMost(ENDED_WITHIN);
      }
    } catch (LostTurnException lost) {
      LOG.debugf("Turn %s is executed here no longer", turn.id());
    } catch (InterruptedException | RuntimeException notStored) {
      LOG.warnf("The end of a turn was not stored: %s", notStored.getMessage());
    }
  }

  private TurnEnd work() throws InterruptedException {
    var backend = plan.backend();
    if (backend == null) {
      return error("MODEL_NOT_CONFIGURED", "AUTH_MISSING", String.valueOf(plan.missing()));
    }
    var catalogue = tools.door().catalogue(plan.place());
    var system = Instructions.of(plan.system(), plan.request().options(), catalogue);
    for (var rounds = 0; ; rounds++) {
      var exceeded = usage.exceeded();
      if (exceeded != null) {
        return exceeded(exceeded);
      }
      var answer = ask(backend, request(system, catalogue, backend));
      var blocks = ids.unique(answer.blocks());
      var calls = ModelTurn.calls(blocks);
      if (calls.isEmpty()) {
        return done(answer);
      }
      if (rounds >= plan.rounds()) {
        return error(
            "TOOL_ROUNDS_EXCEEDED",
            "UNKNOWN",
            "The turn stopped after " + plan.rounds() + " rounds of tool calls");
      }
      exceeded = usage.exceeded();
      if (exceeded != null) {
        return exceeded(exceeded);
      }
      talk.add(new ModelMessage.Assistant(blocks));
      talk.addAll(round.run(calls));
      if (stopped()) {
        return cancelled();
      }
    }
  }

  private ModelRequest request(String system, ToolDoor.Catalogue catalogue, Backend backend)
      throws InterruptedException {
    var whole = asked(system, catalogue);
    estimate = Usage.request(whole);
    if (summaryTried || !Compaction.due(estimate, plan.window())) {
      return whole;
    }
    var request = plan.request();
    var setting = new Compaction.Setting(plan.owner(), request.conversationId(), plan.window());
    var shorter = tools.compaction().compacted(talk, setting, summary -> words(backend, summary));
    if (shorter == null) {
      return whole;
    }
    talk = new ArrayList<>(shorter);
    compacted = true;
    var fitting = asked(system, catalogue);
    estimate = Usage.request(fitting);
    return fitting;
  }

  private ModelRequest asked(String system, ToolDoor.Catalogue catalogue) {
    var reasoning =
        plan.request().options().reasoningMode().equals("staged")
            || plan.request().options().planningMode().equals("always");
    return new ModelRequest(system, List.copyOf(talk), catalogue.tools(), null, reasoning);
  }

  private ModelTurn ask(Backend backend, ModelRequest request) throws InterruptedException {
    if (stopped()) {
      throw new InterruptedException();
    }
    var since = System.nanoTime();
    var answer = ModelAnswer.of(tools.gateway().stream(backend, request), turn);
    usage.answered(request, answer, System.nanoTime() - since, true);
    return answer;
  }

  private String words(Backend backend, ModelRequest request) throws InterruptedException {
    summaryTried = true;
    var since = System.nanoTime();
    var answer = ModelAnswer.of(tools.gateway().stream(backend, request), null);
    usage.answered(request, answer, System.nanoTime() - since, false);
    return ModelTurn.text(answer.blocks());
  }

  // --- ends

  private TurnEnd done(ModelTurn answer) {
    var text = turn.words();
    var data =
        JsonNodeFactory.instance
            .objectNode()
            .put("text", text)
            .put("tokens", usage.tokens())
            .put("tps", usage.tokensPerSecond());
    var reason = answer.stopReason();
    if (reason != null) {
      data.put("stopReason", reason.name().toLowerCase(java.util.Locale.ROOT));
    }
    data.set("usage", usage.toJson());
    return TurnEnd.done(text, data, record());
  }

  private TurnEnd cancelled() {
    return end(
        TurnStatus.CANCELLED, TurnEnd.failure("CANCELLED", "ABORTED", "The turn was cancelled"));
  }

  private TurnEnd failed(ModelFailure failure) {
    return error("PROVIDER_ERROR", failure.errorCode().name(), failure.text());
  }

  private TurnEnd broken(RuntimeException broken) {
    LOG.errorf(broken, "Turn %s broke", turn.id());
    return error("INTERNAL_ERROR", "UNKNOWN", "The turn broke because of a fault of this service");
  }

  private TurnEnd exceeded(Usage.Exceeded exceeded) {
    var data =
        TurnEnd.failure(
            "BUDGET_EXCEEDED",
            "UNKNOWN",
            "The turn has used up its budget: "
                + exceeded.limit()
                + " is "
                + exceeded.allowed()
                + ", used are "
                + exceeded.used());
    data.putObject("params").put("limit", exceeded.limit()).put("used", exceeded.used());
    return end(TurnStatus.FAILED, data);
  }

  private TurnEnd error(String code, String errorCode, String message) {
    return end(TurnStatus.FAILED, TurnEnd.failure(code, errorCode, message));
  }

  private TurnEnd end(TurnStatus status, ObjectNode data) {
    return TurnEnd.error(status, turn.words(), data, record());
  }

  private ObjectNode record() {
    var record = JsonNodeFactory.instance.objectNode();
    record.set("usage", usage.toJson());
    var context = record.putObject("context");
    context.put("estimated_tokens", estimate);
    context.put("window", plan.window());
    context.put("compacted", compacted);
    var backend = plan.backend();
    if (backend != null) {
      record.put("backend", backend.mode().id()).put("model", backend.model());
    }
    return record;
  }
}
