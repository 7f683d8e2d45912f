package io.fengyu.chat.conversation;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a client wants a conversation to be. */
record Draft(String title, List<Message> messages) {

  private static final int LONGEST_TITLE = 200;

  static Draft read(@Nullable JsonNode body) {
    if (body == null || !body.isObject()) {
      throw ConversationProblems.invalid("", "an object");
    }
    var title = body.path("title");
    if (!title.isMissingNode() && !title.isNull() && !title.isTextual()) {
      throw ConversationProblems.invalid("title", "text");
    }
    return new Draft(title(title.asText("")), Message.readAll(body.path("messages")));
  }

  /** Trimmed and cut to 200 characters, none of them halved. */
  static String title(String wanted) {
    var title = wanted.replace("\0", "").strip();
    var points = title.codePointCount(0, title.length());
    return points <= LONGEST_TITLE
        ? title
        : title.substring(0, title.offsetByCodePoints(0, LONGEST_TITLE));
  }
}
