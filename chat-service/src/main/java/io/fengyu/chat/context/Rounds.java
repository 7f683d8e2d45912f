package io.fengyu.chat.context;

import io.fengyu.chat.model.ModelMessage;
import java.util.ArrayList;
import java.util.List;

/**
 * A conversation cut before every user message: calls and their results always stay together.
 *
 * @param instructions system messages, wherever they stood
 * @param rounds each a user message and what follows it; the first may begin otherwise
 */
record Rounds(List<ModelMessage> instructions, List<List<ModelMessage>> rounds) {

  static Rounds of(List<ModelMessage> messages) {
    var instructions = new ArrayList<ModelMessage>();
    var rounds = new ArrayList<List<ModelMessage>>();
    for (var message : messages) {
      if (message instanceof ModelMessage.SystemText) {
        instructions.add(message);
      } else {
        if (message instanceof ModelMessage.User || rounds.isEmpty()) {
          rounds.add(new ArrayList<>());
        }
        rounds.getLast().add(message);
      }
    }
    return new Rounds(instructions, rounds);
  }

  /** All but the last so many. */
  List<List<ModelMessage>> allBut(int last) {
    return rounds.subList(0, Math.max(0, rounds.size() - last));
  }

  /** Instructions, one message, and the last so many rounds as they are. */
  List<ModelMessage> compacted(ModelMessage summary, int last) {
    var all = new ArrayList<>(instructions);
    all.add(summary);
    rounds.subList(Math.max(0, rounds.size() - last), rounds.size()).forEach(all::addAll);
    return all;
  }
}
