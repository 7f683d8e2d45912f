package io.fengyu.chat.context;

import io.fengyu.chat.model.ModelMessage;
import io.fengyu.contract.model.ModelBlock;
import io.fengyu.contract.model.ModelTurn;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;

/** Rounds as text to be summed up. */
final class Transcript {

  private static final int LONGEST_RESULT = 2000;

  private Transcript() {}

  static String of(List<ModelMessage> round) {
    var text = new StringBuilder();
    round.forEach(message -> append(text, message));
    return text.toString();
  }

  private static void append(StringBuilder text, ModelMessage message) {
    switch (message) {
      case ModelMessage.SystemText(var words) -> {}
      case ModelMessage.User user -> text.append("User: ").append(user.text()).append('\n');
      case ModelMessage.Assistant assistant -> {
        var words = ModelTurn.text(assistant.blocks());
        if (!words.isBlank()) {
          text.append("Assistant: ").append(words).append('\n');
        }
        for (var call : ModelTurn.calls(assistant.blocks())) {
          call(text, call);
        }
      }
      case ModelMessage.ToolResult result ->
          text.append("Result: ").append(cut(result.text(), LONGEST_RESULT)).append('\n');
    }
  }

  private static void call(StringBuilder text, ModelBlock.Call call) {
    text.append("Call: ")
        .append(call.name())
        .append(' ')
        .append(cut(call.arguments(), LONGEST_RESULT))
        .append('\n');
  }

  /** The beginning of a text, no character split. */
  static String cut(String text, int most) {
    if (text.length() <= most) {
      return text;
    }
    var end = Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most;
    return text.substring(0, end) + " [...]";
  }

  /** Digests of all beginnings of a conversation: one for each round. */
  static byte[][] prefixes(List<List<ModelMessage>> rounds) {
    var digests = new byte[rounds.size()][];
    var before = new byte[0];
    for (var i = 0; i < digests.length; i++) {
      before = digest(before, rounds.get(i));
      digests[i] = before;
    }
    return digests;
  }

  private static byte[] digest(byte[] before, List<ModelMessage> round) {
    try {
      var sha = MessageDigest.getInstance("SHA-256");
      sha.update(before);
      for (var message : round) {
        sha.update(message.toString().getBytes(StandardCharsets.UTF_8));
        sha.update((byte) 0);
      }
      return sha.digest();
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
