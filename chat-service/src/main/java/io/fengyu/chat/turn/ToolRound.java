package io.fengyu.chat.turn;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.fengyu.chat.journal.LiveTurn;
import io.fengyu.chat.journal.TurnConfig;
import io.fengyu.chat.model.ModelMessage;
import io.fengyu.contract.model.ModelBlock;
import io.fengyu.contract.model.ResultText;
import io.fengyu.contract.model.ShownImage;
import io.fengyu.contract.problem.ProblemException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The calls of one answer: shown, judged, asked about one at a time, then made; every one of them
 * gets exactly one result.
 */
final class ToolRound {

  private static final int LONGEST_NAME = 200;

  private final LiveTurn turn;
  private final TurnPlan plan;
  private final ToolDoor door;
  private final Approvals approvals;
  private final Usage usage;
  private final TurnConfig limits;
  private final Map<String, Integer> perTool = new HashMap<>();
  private final Map<String, ToolDoor.Result> results = new HashMap<>();
  private final List<CompletableFuture<Void>> said = new ArrayList<>();
  private List<ModelBlock.Call> open = List.of();
  private int made;

  ToolRound(
      LiveTurn turn,
      TurnPlan plan,
      ToolDoor door,
      Approvals approvals,
      Usage usage,
      TurnConfig limits) {
    this.turn = turn;
    this.plan = plan;
    this.door = door;
    this.approvals = approvals;
    this.usage = usage;
    this.limits = limits;
  }

  /** Makes the calls of an answer; what the model gets to read of them, in their order. */
  List<ModelMessage> run(List<ModelBlock.Call> calls) throws InterruptedException {
    open = calls;
    results.clear();
    for (var call : calls) {
      say(call);
    }
    stored();
    var allowed = withinLimits(calls);
    if (!allowed.isEmpty()) {
      var agreed = asked(allowed);
      if (!agreed.isEmpty()) {
        door.run(plan.place(), agreed, this::ended);
      }
    }
    stored();
    open = List.of();
    return calls.stream().map(this::message).toList();
  }

  /** The turn ends while calls are open. */
  void abandon(String why) throws InterruptedException {
    for (var call : open) {
      if (!results.containsKey(call.id())) {
        ended(new ToolDoor.Result(call.id(), false, why));
      }
    }
    open = List.of();
    stored();
  }

  private void say(ModelBlock.Call call) {
    said.add(
        turn.tool(
            JsonNodeFactory.instance
                .objectNode()
                .put("phase", "call")
                .put("id", call.id())
                .put("name", call.name())
                .put("arguments", call.arguments())));
  }

  private void ended(ToolDoor.Result result) {
    results.put(result.id(), result);
    said.add(
        turn.tool(
            JsonNodeFactory.instance
                .objectNode()
                .put("phase", "result")
                .put("id", result.id())
                .put("success", result.success())
                .put("output", result.output())));
  }

  private void stored() throws InterruptedException {
    for (var one : said) {
      Wire.await(one);
    }
    said.clear();
  }

  private List<ToolDoor.Call> withinLimits(List<ModelBlock.Call> calls) {
    var allowed = new ArrayList<ToolDoor.Call>();
    for (var call : calls) {
      var name = named(call);
      var ofTool = perTool.merge(name, 1, Integer::sum);
      if (made >= limits.callsPerTurn()) {
        refuse(call, "Not called: a turn may call tools " + limits.callsPerTurn() + " times");
      } else if (ofTool > limits.callsPerTool()) {
        refuse(call, "Not called: a turn may call a tool " + limits.callsPerTool() + " times");
      } else {
        made++;
        usage.called(name, call.arguments());
        allowed.add(new ToolDoor.Call(call.id(), name, call.arguments(), false));
      }
    }
    return allowed;
  }

  // What is no name at all is nobody's tool.
  private static String named(ModelBlock.Call call) {
    var name = call.name().strip();
    if (name.isEmpty()) {
      return "unnamed";
    }
    return name.length() > LONGEST_NAME ? name.substring(0, LONGEST_NAME) : name;
  }

  private void refuse(ModelBlock.Call call, String why) {
    ended(new ToolDoor.Result(call.id(), false, why));
  }

  private List<ToolDoor.Call> asked(List<ToolDoor.Call> calls) throws InterruptedException {
    List<ToolDoor.Judged> judged;
    try {
      judged = door.judge(plan.place(), calls);
    } catch (ProblemException | io.smallrye.mutiny.TimeoutException away) {
      var why = "Not called: the permission for it could not be determined";
      calls.forEach(call -> ended(new ToolDoor.Result(call.id(), false, why)));
      return List.of();
    }
    var agreed = new ArrayList<ToolDoor.Call>();
    for (var i = 0; i < calls.size(); i++) {
      var call = i < judged.size() ? asked(calls.get(i), judged.get(i)) : calls.get(i);
      if (call != null) {
        agreed.add(call);
      }
    }
    return agreed;
  }

  private ToolDoor.@Nullable Call asked(ToolDoor.Call call, ToolDoor.Judged judged)
      throws InterruptedException {
    if (!judged.asks()) {
      return call;
    }
    var schema = judged.schema();
    var question =
        new ApprovalStore.Question(
            plan.id(),
            plan.owner(),
            call.id(),
            call.name(),
            judged.effect(),
            call.arguments().isBlank() ? "{}" : call.arguments(),
            schema == null ? "{}" : schema.toString(),
            judged.reason());
    var since = System.nanoTime();
    var answer = approvals.ask(turn, question);
    usage.paused(System.nanoTime() - since);
    if (answer.agreed()) {
      return new ToolDoor.Call(call.id(), call.name(), answer.args(), true);
    }
    ended(new ToolDoor.Result(call.id(), false, refusal(answer)));
    return null;
  }

  private static String refusal(Approvals.Answer answer) {
    if (answer.word().equals("expired")) {
      return "Not called: nobody approved it in time";
    }
    var feedback = answer.feedback();
    return feedback == null || feedback.isBlank()
        ? "Not called: the person rejected it"
        : "Not called: the person rejected it and said: " + feedback;
  }

  private ModelMessage message(ModelBlock.Call call) {
    var result = results.get(call.id());
    if (result == null) {
      return new ModelMessage.ToolResult(call.id(), "There is no result", false, List.of());
    }
    var shown = ShownImage.in(result.output());
    var image = shown.image();
    return new ModelMessage.ToolResult(
        call.id(),
        ResultText.forModel(shown.text()),
        result.success(),
        image == null
            ? List.of()
            : List.of(new ModelMessage.Image(image.mimeType(), image.base64())));
  }
}
