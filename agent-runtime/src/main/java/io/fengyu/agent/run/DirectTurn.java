package io.fengyu.agent.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.guard.PermissionMode;
import io.fengyu.agent.guard.Verdict;
import io.fengyu.agent.history.Receipt;
import io.fengyu.agent.journal.Change;
import io.fengyu.agent.journal.EventType;
import io.fengyu.agent.run.DirectEvents.CallEnd;
import io.fengyu.agent.tool.Branches.Kind;
import io.fengyu.agent.tool.Tool;
import io.fengyu.agent.tool.ToolException;
import io.fengyu.agent.turn.CallGraph;
import io.fengyu.agent.turn.Touch;
import io.fengyu.agent.turn.TurnCalls;
import io.fengyu.agent.turn.TurnSchedule;
import io.fengyu.contract.json.CanonicalJson;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Makes the calls of one turn of a direct run, as far as nobody has to be asked. */
final class DirectTurn {

  private static final String TOO_MUCH =
      "The results of the run are longer than " + RunSize.RUN + " characters in all";

  private final RunScope scope;
  private final RunWork work;
  private final RunWriter writer;
  private final Map<String, Tool> offered;
  private final CallJudge judge;
  private final ToolCalls tools;
  private final PlacesOnce places;
  private final EarlierCalls earlier;
  private final int atOnce;
  // What a person has agreed to, with other arguments where that was said; by id.
  private final Map<String, ObjectNode> agreed = new HashMap<>();

  DirectTurn(
      RunScope scope,
      Map<String, Tool> offered,
      CallJudge judge,
      ToolCalls tools,
      PlacesOnce places,
      EarlierCalls earlier,
      int atOnce) {
    this.scope = scope;
    this.work = scope.work();
    this.writer = scope.writer();
    this.offered = offered;
    this.judge = judge;
    this.tools = tools;
    this.places = places;
    this.earlier = earlier;
    this.atOnce = atOnce;
  }

  /**
   * A call that has to be agreed to first.
   *
   * @param reason in a word
   * @param alreadyDone receipts of calls that it would make again
   */
  record Paused(
      DirectCall call,
      Tool tool,
      ObjectNode args,
      Verdict verdict,
      String reason,
      List<Receipt> alreadyDone) {}

  /** What is to become of a call. */
  private sealed interface Fate {

    record Refused(CallEnd end) implements Fate {}

    record Asks(Paused paused) implements Fate {}

    record Made(Tool tool, ObjectNode args, ObjectNode dispatched, List<Receipt> alreadyDone)
        implements Fate {}
  }

  /** Somebody agreed to a call. */
  void agree(DirectCall call, ObjectNode args) {
    agreed.put(call.id(), args);
  }

  /** Somebody refused a call. */
  void reject(DirectTalk talk, DirectCall call) {
    end(talk, call, CallEnd.refused("REJECTED", "Rejected by user"), List.of(), 0);
  }

  /** Makes what may be made; null when afterwards every call of the turn has its result. */
  @Nullable Paused make(DirectTalk talk) {
    var calls = talk.open();
    var receipts = receipts(calls);
    var fates = calls.stream().map(call -> fate(call, receipts)).toList();
    var touches = new ArrayList<Touch>(calls.size());
    for (int i = 0; i < calls.size(); i++) {
      touches.add(touch(calls.get(i), fates.get(i)));
    }
    TurnSchedule.run(CallGraph.of(touches), new Calls(talk, calls, fates), atOnce);
    var open = talk.open();
    for (int i = 0; i < calls.size(); i++) {
      if (fates.get(i) instanceof Fate.Asks(var paused) && open.contains(calls.get(i))) {
        return paused;
      }
    }
    return null;
  }

  private Touch touch(DirectCall call, Fate fate) {
    var tool = offered.get(call.name());
    return switch (fate) {
      case Fate.Made made -> Touch.of(made.tool().spec(), made.args());
      case Fate.Asks(var paused) -> Touch.of(paused.tool().spec(), paused.args());
      case Fate.Refused refused ->
          tool == null || call.args() == null
              ? new Touch.Anything()
              : Touch.of(tool.spec(), call.args());
    };
  }

  /**
   * Of calls, like one of these, whose outcome nobody knows; such a call is not made again unasked.
   */
  private List<Receipt> receipts(List<DirectCall> calls) {
    var hashes = new ArrayList<String>();
    for (var call : calls) {
      var tool = offered.get(call.name());
      var args = args(call);
      if (tool != null && args != null && !tool.spec().readsOnly()) {
        hashes.add(CanonicalJson.sha256(args));
      }
    }
    if (hashes.isEmpty()) {
      return List.of();
    }
    writer.flushDurably();
    return earlier.with(hashes);
  }

  private @Nullable ObjectNode args(DirectCall call) {
    return agreed.getOrDefault(call.id(), call.args());
  }

  private static List<Receipt> same(Tool tool, ObjectNode args, List<Receipt> receipts) {
    if (receipts.isEmpty()) {
      return List.of();
    }
    var hash = CanonicalJson.sha256(args);
    return receipts.stream()
        .filter(known -> known.tool().equals(tool.spec().name()) && known.argsHash().equals(hash))
        .toList();
  }

  private Fate fate(DirectCall call, List<Receipt> receipts) {
    var tool = offered.get(call.name());
    if (tool == null) {
      var why = work.tools().containsKey(call.name()) ? "may not be used in" : "does not exist for";
      return refused("TOOL_UNKNOWN", "The tool " + call.name() + " " + why + " this run");
    }
    var args = args(call);
    if (args == null) {
      return refused(
          "TOOL_ARGUMENTS_INVALID", "The arguments are not one JSON object: " + call.written());
    }
    return judged(call, tool, args, same(tool, args, receipts));
  }

  private Fate judged(DirectCall call, Tool tool, ObjectNode args, List<Receipt> alreadyDone) {
    boolean asIs = agreed.containsKey(call.id()) && args.equals(call.args());
    var verdict = asIs ? judge.judgeAgain(tool, args) : judge.judge(tool, args);
    if (verdict.denies()) {
      return refused(verdict.code(), verdict.told());
    }
    var reason = agreed.containsKey(call.id()) ? null : reason(verdict, !alreadyDone.isEmpty());
    if (reason != null) {
      return new Fate.Asks(new Paused(call, tool, args, verdict, reason, alreadyDone));
    }
    try {
      var dispatched = GrantedFiles.dispatch(places.get(), tool.spec().pluginId(), args);
      return new Fate.Made(tool, args, dispatched, alreadyDone);
    } catch (ToolException e) {
      return refused("TOOL_ARGUMENTS_INVALID", String.valueOf(e.getMessage()));
    }
  }

  /** Why a person has to agree first; null when nobody has to. */
  private @Nullable String reason(Verdict verdict, boolean repeats) {
    if (verdict.asks()) {
      return verdict.stage().wire();
    }
    if (work.options().pausesAt(false)) {
      return "every";
    }
    return repeats && work.options().permissionMode() != PermissionMode.FULL_ACCESS
        ? ReadyStep.REPEAT
        : null;
  }

  private static Fate refused(String code, String why) {
    return new Fate.Refused(CallEnd.refused(code, why));
  }

  private void end(
      DirectTalk talk, DirectCall call, CallEnd end, List<Change> outcome, long durationMs) {
    end(talk, call, end, outcome, durationMs, List.of());
  }

  private void end(
      DirectTalk talk,
      DirectCall call,
      CallEnd end,
      List<Change> outcome,
      long durationMs,
      List<Receipt> alreadyDone) {
    var kept =
        scope.state().keeps(end.output()) ? end : CallEnd.refused("RESULT_TOO_LONG", TOO_MUCH);
    var data = DirectEvents.ended(call, kept, durationMs);
    writer.hold(EventType.TOOL, StepEvents.alreadyDone(data, alreadyDone), outcome);
    writer.flush();
    talk.result(call.id(), kept.output(), kept.success());
  }

  /** The calls of one turn, each on a thread of its own. */
  private final class Calls implements TurnCalls {

    private final DirectTalk talk;
    private final List<DirectCall> calls;
    private final List<Fate> fates;

    Calls(DirectTalk talk, List<DirectCall> calls, List<Fate> fates) {
      this.talk = talk;
      this.calls = calls;
      this.fates = fates;
    }

    @Override
    public End make(int call) {
      return switch (fates.get(call)) {
        case Fate.Asks asks -> End.PAUSED;
        case Fate.Refused(var end) -> {
          end(talk, calls.get(call), end, List.of(), 0);
          yield End.FAILED;
        }
        case Fate.Made made -> make(calls.get(call), made);
      };
    }

    private End make(DirectCall call, Fate.Made made) {
      if (!scope.admission().open()) {
        end(talk, call, CallEnd.refused("CANCELLED", ToolCalls.STOPPED), List.of(), 0);
        return End.FAILED;
      }
      long started = System.nanoTime();
      var receipt = new CallReceipt(work, call.index(), made.tool(), hash(made));
      intend(receipt);
      var outcome = call(call, made, receipt.invocationId(1));
      long durationMs = (System.nanoTime() - started) / 1_000_000;
      tell(made, outcome);
      var settled = receipt.outcome(1, outcome.state());
      end(talk, call, CallEnd.of(outcome), settled, durationMs, made.alreadyDone());
      return outcome instanceof ToolOutcome.Answered ? End.SUCCEEDED : End.FAILED;
    }

    private ToolOutcome call(DirectCall call, Fate.Made made, UUID invocationId) {
      var branch = scope.admission().branches().begin(Kind.TOOL, call.id());
      try {
        return tools.call(
            made.tool(),
            new ToolCalls.Place(call.index(), call.id()),
            invocationId,
            made.dispatched());
      } finally {
        branch.close();
      }
    }

    private void tell(Fate.Made made, ToolOutcome outcome) {
      switch (outcome) {
        case ToolOutcome.Answered(var text, var value) ->
            scope.hooks().called(made.tool(), made.args(), true, text);
        case ToolOutcome.Refused(var error, var state) ->
            scope.hooks().called(made.tool(), made.args(), false, error);
      }
    }

    private static String hash(Fate.Made made) {
      return made.tool().spec().readsOnly() ? "" : CanonicalJson.sha256(made.args());
    }

    // Nothing is called before it is on disk that it will be.
    private void intend(CallReceipt receipt) {
      if (receipt.needed()) {
        receipt.intention(1).forEach(writer::hold);
        writer.flushDurably();
      } else {
        writer.checkHeld();
      }
    }

    @Override
    public void blocked(int call, List<Integer> by) {
      var ids = by.stream().map(before -> calls.get(before).id()).toList();
      end(talk, calls.get(call), CallEnd.blocked(ids), List.of(), 0);
    }
  }
}
