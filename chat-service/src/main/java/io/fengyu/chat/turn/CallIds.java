package io.fengyu.chat.turn;

import io.fengyu.contract.model.ModelBlock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Makes ids of calls unique within a turn: some models count from the beginning every time. */
final class CallIds {

  private static final int LONGEST = 128;

  private final Set<String> used = new HashSet<>();

  List<ModelBlock> unique(List<ModelBlock> blocks) {
    var unique = new ArrayList<ModelBlock>(blocks.size());
    for (var block : blocks) {
      unique.add(
          block instanceof ModelBlock.Call call
              ? new ModelBlock.Call(id(call.id()), call.name(), call.arguments())
              : block);
    }
    return unique;
  }

  private String id(String given) {
    var base = given.isBlank() || given.length() > LONGEST ? "call" : given;
    var id = base;
    for (var number = 2; !used.add(id); number++) {
      id = base + "_" + number;
    }
    return id;
  }
}
