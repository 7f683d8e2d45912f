package io.fengyu.agent.run;

import io.fengyu.contract.model.ModelBlock;
import io.fengyu.contract.model.ModelStreamRequest.Image;
import io.fengyu.contract.model.ModelStreamRequest.Message;
import io.fengyu.contract.model.ResultText;
import io.fengyu.contract.model.ShownImage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What was said in a direct run so far: everything in it is on record, so that any replica can
 * build it again and go on. Written by the threads of a turn's calls; read by the run's own.
 */
final class DirectTalk {

  private final String system;
  private final String user;
  private final List<List<ModelBlock>> turns = new ArrayList<>();
  private final Set<String> ids = new HashSet<>();
  private final Map<String, Result> results = new HashMap<>();
  private List<DirectCall> calls = List.of();
  private int nextIndex;
  private @Nullable String pin;

  /** What a call came to, whole. */
  private record Result(String output, boolean success) {}

  DirectTalk(String system, String user) {
    this.system = system;
    this.user = user;
  }

  String system() {
    return system;
  }

  /** The back end that answered last, before this executor took over; null for none. */
  @Nullable String pin() {
    return pin;
  }

  /** Remembers which back end answered. */
  void answeredBy(@Nullable String back) {
    pin = back;
  }

  /** How often the model has spoken. */
  int turns() {
    return turns.size();
  }

  /**
   * The model has spoken.
   *
   * @return the same, its calls with ids that no other call of the run has
   */
  List<ModelBlock> said(List<ModelBlock> blocks) {
    var unique = new ArrayList<ModelBlock>(blocks.size());
    var begun = new ArrayList<DirectCall>();
    for (var block : blocks) {
      if (block instanceof ModelBlock.Call call) {
        var own = new ModelBlock.Call(unique(call.id()), call.name(), call.arguments());
        begun.add(DirectCall.of(nextIndex++, own));
        unique.add(own);
      } else {
        unique.add(block);
      }
    }
    turns.add(List.copyOf(unique));
    calls = List.copyOf(begun);
    return turns.getLast();
  }

  private String unique(String id) {
    var candidate = id;
    for (int again = 2; !ids.add(candidate); again++) {
      candidate = id + "_" + again;
    }
    return candidate;
  }

  /** A call came to its end. */
  synchronized void result(String callId, String output, boolean success) {
    results.put(callId, new Result(output, success));
  }

  /** The calls of the newest turn that have no result, in order. */
  synchronized List<DirectCall> open() {
    return calls.stream().filter(call -> !results.containsKey(call.id())).toList();
  }

  /** All calls of the newest turn. */
  List<DirectCall> calls() {
    return calls;
  }

  /** The whole conversation as a model reads it; every call has its result. */
  synchronized List<Message> messages() {
    var messages = new ArrayList<Message>();
    messages.add(Message.user(user));
    for (var turn : turns) {
      messages.add(Message.assistant(turn));
      for (var block : turn) {
        if (block instanceof ModelBlock.Call call) {
          messages.add(message(call.id()));
        }
      }
    }
    return messages;
  }

  private Message message(String callId) {
    var result = results.get(callId);
    if (result == null) {
      throw new IllegalStateException("call " + callId + " has no result");
    }
    var shown = ShownImage.in(result.output());
    var images = shown.image() == null ? List.<Image>of() : List.of(shown.image());
    return Message.result(callId, ResultText.forModel(shown.text()), result.success(), images);
  }
}
