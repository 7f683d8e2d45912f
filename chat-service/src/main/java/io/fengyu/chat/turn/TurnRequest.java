package io.fengyu.chat.turn;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.chat.journal.TurnIds;
import io.fengyu.chat.model.ModelMessage;
import io.fengyu.contract.model.ModelBlock;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A turn as it was asked for.
 *
 * @param messages the whole conversation; the last one is the user's
 * @param workflowId the workflow that it is about; null for none
 * @param flowContext its canvas as it is open; null when only the stored workflow is meant
 * @param editTurn the turn that it takes the place of; null for none
 */
record TurnRequest(
    List<ModelMessage> messages,
    String permissionMode,
    @Nullable String conversationId,
    @Nullable String sendId,
    @Nullable String scopeId,
    @Nullable String workflowId,
    @Nullable JsonNode flowContext,
    @Nullable UUID editTurn,
    Options options) {

  private static final int MOST_MESSAGES = 2000;
  private static final int MOST_IMAGES = 4;
  private static final int LONGEST_IMAGE = 4 * 1024 * 1024;
  private static final int LONGEST_ID = 200;
  private static final Set<String> MODES =
      Set.of("ask-for-approval", "approve-for-me", "full-access");

  /**
   * How the model works.
   *
   * @param model an entry of the catalogue; null for the owner's active one
   */
  record Options(
      @Nullable String model,
      String reasoningMode,
      String planningMode,
      String outputFormat,
      Budget budget) {}

  /** Reads a body, or refuses it with 400. */
  static TurnRequest read(ObjectNode body) {
    var messages = messages(body.path("messages"));
    var context = body.path("flowContext");
    return new TurnRequest(
        messages,
        mode(body.path("permissionMode")),
        id(body, "conversationId"),
        id(body, "sendId"),
        id(body, "scopeId"),
        workflow(body, context),
        absent(context) ? null : context,
        edited(body),
        options(body.path("options"), body.path("config")));
  }

  /** What it answers. */
  String input() {
    return ((ModelMessage.User) messages.getLast()).text();
  }

  /** What is shown of it with the turn. */
  ObjectNode shownOptions() {
    return JsonNodeFactory.instance
        .objectNode()
        .put("permissionMode", permissionMode)
        .put("workflowId", workflowId)
        .put("model", options.model())
        .put("reasoning_mode", options.reasoningMode())
        .put("planning_mode", options.planningMode())
        .put("output_format", options.outputFormat());
  }

  static boolean absent(JsonNode value) {
    return value.isMissingNode() || value.isNull();
  }

  private static @Nullable UUID edited(ObjectNode body) {
    var edited = id(body, "editTurn");
    if (edited != null && id(body, "conversationId") == null) {
      throw TurnRefusals.option("conversationId", "that of the turn which is edited");
    }
    return edited == null ? null : TurnIds.of(edited);
  }

  private static @Nullable String workflow(ObjectNode body, JsonNode context) {
    var named = id(body, "workflowId");
    if (named != null || absent(context)) {
      return named;
    }
    if (!context.isObject()) {
      throw TurnRefusals.option("flowContext", "an object");
    }
    return id((ObjectNode) context, "workflowId");
  }

  private static @Nullable String id(ObjectNode body, String name) {
    var value = body.path(name);
    if (absent(value)) {
      return null;
    }
    if (!value.isTextual()
        || value.textValue().isBlank()
        || value.textValue().length() > LONGEST_ID
        || value.textValue().indexOf('\0') >= 0) {
      throw TurnRefusals.option(name, "a string of 1 to " + LONGEST_ID + " characters");
    }
    return value.textValue();
  }

  private static String mode(JsonNode value) {
    if (absent(value)) {
      return "ask-for-approval";
    }
    if (!value.isTextual() || !MODES.contains(value.textValue())) {
      throw TurnRefusals.permissionMode(value.asText());
    }
    return value.textValue();
  }

  private static Options options(JsonNode options, JsonNode config) {
    if (!absent(options) && !options.isObject()) {
      throw TurnRefusals.option("options", "an object");
    }
    var budget = absent(options.path("budget")) ? config.path("budget") : options.path("budget");
    var model = options.path("model");
    return new Options(
        absent(model) ? null : word(options, "model"),
        choice(options, "reasoning_mode", "direct", "staged"),
        choice(options, "planning_mode", "never", "auto", "always"),
        choice(options, "output_format", "chat", "report", "json"),
        Budget.read(budget));
  }

  private static String word(JsonNode options, String name) {
    var value = options.path(name);
    if (!value.isTextual() || value.textValue().length() > LONGEST_ID) {
      throw TurnRefusals.option("options." + name, "a string");
    }
    return value.textValue();
  }

  private static String choice(JsonNode options, String name, String... choices) {
    var value = options.path(name);
    if (absent(value)) {
      return choices[0];
    }
    if (!List.of(choices).contains(value.asText())) {
      throw TurnRefusals.option("options." + name, String.join(", ", choices));
    }
    return value.asText();
  }

  private static List<ModelMessage> messages(JsonNode sent) {
    if (!sent.isArray() || sent.isEmpty() || sent.size() > MOST_MESSAGES) {
      throw TurnRefusals.messages();
    }
    var messages = new ArrayList<ModelMessage>(sent.size());
    sent.forEach(message -> messages.add(message(message)));
    if (!(messages.getLast() instanceof ModelMessage.User)) {
      throw TurnRefusals.messages();
    }
    return List.copyOf(messages);
  }

  private static ModelMessage message(JsonNode message) {
    var content = message.path("content");
    if (!message.isObject() || !content.isTextual()) {
      throw TurnRefusals.messages();
    }
    var text = content.textValue();
    var role = message.path("role");
    if (absent(role)) {
      return new ModelMessage.User(text, images(message.path("images")));
    }
    return switch (role.asText()) {
      case "user" -> new ModelMessage.User(text, images(message.path("images")));
      case "assistant" -> new ModelMessage.Assistant(List.of(new ModelBlock.Text(text)));
      case "system" -> new ModelMessage.SystemText(text);
      default -> throw TurnRefusals.messages();
    };
  }

  private static List<ModelMessage.Image> images(JsonNode sent) {
    if (absent(sent)) {
      return List.of();
    }
    if (!sent.isArray() || sent.size() > MOST_IMAGES) {
      throw TurnRefusals.messages();
    }
    var images = new ArrayList<ModelMessage.Image>();
    for (var image : sent) {
      var data = image.path("base64Data");
      var type = image.path("mimeType");
      if (!data.isTextual()
          || data.textValue().length() > LONGEST_IMAGE
          || !type.isTextual()
          || !type.textValue().startsWith("image/")) {
        throw TurnRefusals.messages();
      }
      images.add(new ModelMessage.Image(type.textValue(), data.textValue()));
    }
    return images;
  }
}
