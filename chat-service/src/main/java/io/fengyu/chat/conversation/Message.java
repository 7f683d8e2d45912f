package io.fengyu.chat.conversation;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One message of a conversation: text only, no bytes of images and no raw output of tools.
 *
 * @param attachments names and kinds to show, never a right to read anything; null for none
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Message(
    String role,
    String content,
    @Nullable String thinking,
    @Nullable List<Attachment> attachments) {

  static final int MOST = 2000;

  private static final int MOST_ATTACHMENTS = 64;
  private static final int LONGEST_NAME = 1000;
  private static final Set<String> ROLES = Set.of("system", "user", "assistant");

  /** What was attached, by name. */
  public record Attachment(String name, String kind) {}

  /** Reads the messages of a stored conversation; a list that is missing is empty. */
  static List<Message> readAll(JsonNode list) {
    if (list.isMissingNode() || list.isNull()) {
      return List.of();
    }
    if (!list.isArray()) {
      throw ConversationProblems.invalid("messages", "a list");
    }
    if (list.size() > MOST) {
      throw ConversationProblems.invalid("messages", "at most " + MOST);
    }
    var messages = new ArrayList<Message>(list.size());
    for (int i = 0; i < list.size(); i++) {
      messages.add(read(list.get(i), "messages[" + i + "]"));
    }
    return messages;
  }

  private static Message read(JsonNode message, String at) {
    if (!message.isObject()) {
      throw ConversationProblems.invalid(at, "an object");
    }
    var thinking = message.path("thinking");
    return new Message(
        role(message.path("role")),
        text(message.path("content"), at + ".content"),
        absent(thinking) ? null : text(thinking, at + ".thinking"),
        attachments(message.path("attachments"), at + ".attachments"));
  }

  /** What a turn was sent; images stay as their names only. */
  static Message sent(JsonNode message) {
    var shown = new ArrayList<Attachment>();
    for (var image : message.path("images")) {
      shown.add(new Attachment(image.path("name").asText(), "image"));
    }
    return new Message(
        role(message.path("role")),
        text(message.path("content"), "messages.content"),
        null,
        shown.isEmpty() ? null : shown);
  }

  static Message reply(String text, @Nullable String thinking) {
    return new Message("assistant", text, thinking, null);
  }

  @Nullable String attachmentsAsJson() {
    if (attachments == null) {
      return null;
    }
    var list = JsonNodeFactory.instance.arrayNode();
    attachments.forEach(each -> list.addObject().put("name", each.name()).put("kind", each.kind()));
    return list.toString();
  }

  private static String role(JsonNode role) {
    return role.isTextual() && ROLES.contains(role.textValue()) ? role.textValue() : "user";
  }

  private static String text(JsonNode value, String at) {
    if (!value.isTextual() || value.textValue().indexOf('\0') >= 0) {
      throw ConversationProblems.invalid(at, "text without NUL characters");
    }
    return value.textValue();
  }

  private static @Nullable List<Attachment> attachments(JsonNode list, String at) {
    if (absent(list)) {
      return null;
    }
    if (!(list instanceof ArrayNode) || list.size() > MOST_ATTACHMENTS) {
      throw ConversationProblems.invalid(at, "a list of at most " + MOST_ATTACHMENTS);
    }
    var attachments = new ArrayList<Attachment>(list.size());
    for (var each : list) {
      attachments.add(new Attachment(name(each.path("name"), at), name(each.path("kind"), at)));
    }
    return attachments;
  }

  private static String name(JsonNode value, String at) {
    var name = text(value, at);
    if (name.length() > LONGEST_NAME) {
      throw ConversationProblems.invalid(at, "names of at most " + LONGEST_NAME + " characters");
    }
    return name;
  }

  private static boolean absent(JsonNode value) {
    return value.isMissingNode() || value.isNull();
  }
}
