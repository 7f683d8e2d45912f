package io.fengyu.agent.toolbatch;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.file.RunFiles.RunPlaces;
import io.fengyu.agent.guard.PermissionMode;
import io.fengyu.agent.guard.Verdict;
import io.fengyu.agent.journal.Change.ReceiptState;
import io.fengyu.agent.run.StopFlag;
import io.fengyu.agent.run.ToolAttempt;
import io.fengyu.agent.run.ToolOutcome;
import io.fengyu.agent.tool.Branches;
import io.fengyu.agent.tool.Tool;
import io.fengyu.agent.tool.ToolCall;
import io.fengyu.agent.turn.CallGraph;
import io.fengyu.agent.turn.Touch;
import io.fengyu.agent.turn.TurnCalls;
import io.fengyu.agent.turn.TurnSchedule;
import io.fengyu.contract.json.CanonicalJson;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** The calls of one batch: judged, put in order, made, and answered in the order they came. */
final class ToolBatch implements TurnCalls {

  private static final Logger LOG = Logger.getLogger(ToolBatch.class);
  private static final Duration STORED_WITHIN = Duration.ofSeconds(10);

  private final Setting setting;
  private final List<BatchCall> calls;
  private final StopFlag stop = new StopFlag();
  private final List<Fate> fates = new ArrayList<>();
  private final Instant begun;
  private final AtomicReferenceArray<@Nullable BatchEnd> ends;
  private volatile boolean effects;

  /**
   * Where and for whom calls are made.
   *
   * @param runId the turn or run of another service that the calls belong to; null for none
   * @param tools the catalog as it is now
   * @param ended told of every end, on the thread of its call
   */
  record Setting(
      BatchReceipts.Batch batch,
      @Nullable UUID runId,
      PermissionMode mode,
      Map<String, Tool> tools,
      Judge judge,
      Told told,
      Consumer<BatchEnd> ended,
      RunPlaces places,
      BatchReceipts receipts,
      Clock clock) {}

  /** Asked before a call, on the batch's own thread. */
  interface Judge {
    Verdict of(Tool tool, ObjectNode args);
  }

  /** Told after a call. */
  interface Told {
    void of(Tool tool, ObjectNode args, ToolOutcome outcome);
  }

  /** What is to become of a call. */
  private sealed interface Fate {

    record Refused(String code, String why) implements Fate {}

    record Asks(Tool tool, ObjectNode args, String why) implements Fate {}

    record Made(Tool tool, ObjectNode args) implements Fate {}
  }

  ToolBatch(Setting setting, List<BatchCall> calls) {
    this.setting = setting;
    this.calls = calls;
    this.begun = setting.clock().instant();
    this.ends = new AtomicReferenceArray<>(calls.size());
  }

  /** Blocks until every call has its end. */
  void run(int atOnce) {
    for (var call : calls) {
      fates.add(fate(call));
    }
    var touches = calls.stream().map(call -> touch(call, fates.get(call.index()))).toList();
    try {
      TurnSchedule.run(CallGraph.of(touches), this, atOnce);
    } finally {
      close();
    }
  }

  private void close() {
    if (effects) {
      setting
          .receipts()
          .end(setting.batch().id())
          .subscribe()
          .with(done -> {}, failure -> LOG.debugf("A tool batch is ended later: %s", failure));
    }
  }

  /** Asks running calls to stop; those that have not begun don't. */
  void stop() {
    stop.request();
  }

  /** What is known now; calls without an end are answered as unknown. */
  List<BatchEnd> answers() {
    var all = new ArrayList<BatchEnd>(calls.size());
    for (var call : calls) {
      var end = ends.get(call.index());
      all.add(end == null ? unknown(call) : end);
    }
    return all;
  }

  private void keep(int index, BatchEnd end) {
    ends.set(index, end);
    setting.ended().accept(end);
  }

  private BatchEnd unknown(BatchCall call) {
    return end(call, begun, false, "The call did not end in time", "TOOL_TIMEOUT", null, null);
  }

  private Fate fate(BatchCall call) {
    var tool = setting.tools().get(call.name());
    var args = call.args();
    if (tool == null) {
      return new Fate.Refused("TOOL_UNKNOWN", "There is no tool " + call.name());
    }
    if (args == null) {
      return new Fate.Refused("TOOL_ARGUMENTS_INVALID", "The arguments are not one JSON object");
    }
    var verdict = setting.judge().of(tool, args);
    if (verdict.denies()) {
      return new Fate.Refused(verdict.code(), verdict.told());
    }
    return verdict.asks() && !call.approved()
        ? new Fate.Asks(tool, args, verdict.reason())
        : new Fate.Made(tool, args);
  }

  // A call that is refused at once fails like any other: what would have waited for it is blocked,
  // and nothing else. What an unreadable call would have touched, nobody knows.
  private Touch touch(BatchCall call, Fate fate) {
    return switch (fate) {
      case Fate.Refused refused -> {
        var tool = setting.tools().get(call.name());
        yield tool == null || call.args() == null
            ? new Touch.Anything()
            : Touch.of(tool.spec(), call.args());
      }
      case Fate.Asks asks -> Touch.of(asks.tool().spec(), asks.args());
      case Fate.Made made -> Touch.of(made.tool().spec(), made.args());
    };
  }

  @Override
  public End make(int index) {
    var call = calls.get(index);
    var now = setting.clock().instant();
    return switch (fates.get(index)) {
      case Fate.Refused(var code, var why) -> {
        keep(index, end(call, now, false, why, code, null, null));
        yield End.FAILED;
      }
      case Fate.Asks asks -> {
        var why = "Needs approval: " + asks.why();
        keep(index, end(call, now, false, why, "APPROVAL_REQUIRED", null, null));
        yield End.PAUSED;
      }
      case Fate.Made made -> make(call, made, now);
    };
  }

  private End make(BatchCall call, Fate.Made made, Instant started) {
    var invocation = UUID.randomUUID();
    boolean effect = !made.tool().spec().readsOnly();
    if (effect && !intended(call, made, invocation)) {
      var why = "Not called: that it would be called could not be put on record";
      keep(call.index(), end(call, started, false, why, "RECEIPT_NOT_STORED", null, null));
      return End.FAILED;
    }
    var outcome = called(made, invocation);
    if (effect) {
      settle(invocation, outcome.state());
    }
    setting.told().of(made.tool(), made.args(), outcome);
    var receipt = effect ? invocation : null;
    return switch (outcome) {
      case ToolOutcome.Answered(var text, var value) -> {
        keep(call.index(), end(call, started, true, text, null, null, receipt));
        yield value.path("async").asBoolean() ? End.UNFINISHED : End.SUCCEEDED;
      }
      case ToolOutcome.Refused(var error, var state) -> {
        var code = state == ReceiptState.UNKNOWN && effect ? "OUTCOME_UNKNOWN" : null;
        keep(call.index(), end(call, started, false, error, code, null, receipt));
        yield End.FAILED;
      }
    };
  }

  private boolean intended(BatchCall call, Fate.Made made, UUID invocation) {
    if (stop.requested()) {
      return false;
    }
    try {
      effects = true;
      setting
          .receipts()
          .intend(
              setting.batch(),
              invocation,
              call.index(),
              made.tool().spec(),
              CanonicalJson.sha256(made.args()))
          .await()
          .atMost(STORED_WITHIN);
      return true;
    } catch (RuntimeException notStored) {
      LOG.warnf("A call of %s was not put on record: %s", call.name(), notStored.getMessage());
      return false;
    }
  }

  private ToolOutcome called(Fate.Made made, UUID invocation) {
    if (!stop.enter()) {
      return new ToolOutcome.Refused(ToolAttempt.STOPPED, ReceiptState.FAILED);
    }
    try {
      return ToolAttempt.make(made.tool(), () -> call(made, invocation), stop::requested);
    } finally {
      stop.leave();
    }
  }

  // An outcome that can't be stored leaves the receipt open; it is given up as unknown then.
  private void settle(UUID invocation, ReceiptState state) {
    try {
      setting.receipts().settle(invocation, state).await().atMost(STORED_WITHIN);
    } catch (RuntimeException notStored) {
      LOG.warnf("The outcome of a call was not stored: %s", notStored.getMessage());
    }
  }

  private ToolCall call(Fate.Made made, UUID invocation) {
    var pluginId = made.tool().spec().pluginId();
    var places = setting.places();
    return new ToolCall(
        setting.batch().owner(),
        setting.batch().sessionId(),
        setting.runId(),
        1,
        invocation.toString(),
        made.args().isEmpty() ? JsonNodeFactory.instance.objectNode() : made.args().deepCopy(),
        places.workspace(),
        places.outputDir(pluginId),
        places.state(),
        places.access(pluginId),
        setting.mode() == PermissionMode.FULL_ACCESS,
        stop::requested,
        Branches.NONE,
        ToolCall.Progress.UNSEEN,
        file -> {});
  }

  @Override
  public void blocked(int index, List<Integer> by) {
    var ids = by.stream().map(before -> calls.get(before).id()).toList();
    var output =
        JsonNodeFactory.instance
            .objectNode()
            .put("success", false)
            .put("code", "TOOL_DEPENDENCY_BLOCKED");
    var array = output.putArray("blocked_by");
    ids.forEach(array::add);
    output.put(
        "error",
        "Not executed: it depends on "
            + String.join(", ", ids)
            + ", which did not succeed. Submit it again if it is still needed.");
    var now = setting.clock().instant();
    keep(
        index,
        end(calls.get(index), now, false, output.toString(), "TOOL_DEPENDENCY_BLOCKED", ids, null));
  }

  private BatchEnd end(
      BatchCall call,
      Instant started,
      boolean success,
      String output,
      @Nullable String code,
      @Nullable List<String> blockedBy,
      @Nullable UUID invocation) {
    return new BatchEnd(
        call.id(),
        call.name(),
        success,
        output,
        code,
        blockedBy,
        invocation,
        started,
        setting.clock().instant());
  }
}
