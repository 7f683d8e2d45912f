package io.fengyu.webhook.trigger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.webhook.WebhookProblems;
import io.fengyu.webhook.signature.SignatureScheme;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads what an owner sends about a trigger. */
final class TriggerWish {

  static final String ASKING = "ask-for-approval";

  private static final Pattern WORKFLOW = Pattern.compile("[A-Za-z0-9_-]{1,64}");
  private static final Set<String> MODES = Set.of(ASKING, "approve-for-me", "full-access");
  private static final int LONGEST_NAME = 160;

  private final JsonNode body;

  TriggerWish(JsonNode body) {
    this.body = body;
  }

  /** A scheme and its secret. */
  record Signature(SignatureScheme scheme, String secret) {}

  boolean has(String field) {
    return body.hasNonNull(field);
  }

  /** True when the field is there, be it null. */
  boolean names(String field) {
    return body.has(field);
  }

  String workflowId() {
    var id = body.path("workflowId");
    if (!id.isTextual() || id.textValue().isBlank()) {
      throw WebhookProblems.field("/workflowId", "REQUIRED");
    }
    if (!WORKFLOW.matcher(id.textValue()).matches()) {
      throw WebhookProblems.field("/workflowId", "INVALID");
    }
    return id.textValue();
  }

  String name(String otherwise) {
    var name = body.path("name");
    if (name.isMissingNode() || name.isNull()) {
      return otherwise;
    }
    if (!name.isTextual()) {
      throw WebhookProblems.field("/name", "WRONG_TYPE");
    }
    var text = name.textValue().strip();
    var length = text.codePointCount(0, text.length());
    if (length > LONGEST_NAME) {
      throw WebhookProblems.nameTooLong(LONGEST_NAME, length);
    }
    return text.isEmpty() ? otherwise : text;
  }

  ObjectNode defaultInputs() {
    var inputs = body.path("defaultInputs");
    if (inputs.isMissingNode() || inputs.isNull()) {
      return JsonNodeFactory.instance.objectNode();
    }
    if (inputs instanceof ObjectNode object) {
      return object;
    }
    throw WebhookProblems.field("/defaultInputs", "WRONG_TYPE");
  }

  String permissionMode(String otherwise) {
    var mode = body.path("permissionMode");
    if (mode.isMissingNode() || mode.isNull()) {
      return otherwise;
    }
    if (!mode.isTextual() || !MODES.contains(mode.textValue())) {
      throw WebhookProblems.mode(mode);
    }
    return mode.textValue();
  }

  boolean enabled(boolean otherwise) {
    var enabled = body.path("enabled");
    if (enabled.isMissingNode() || enabled.isNull()) {
      return otherwise;
    }
    if (!enabled.isBoolean()) {
      throw WebhookProblems.field("/enabled", "WRONG_TYPE");
    }
    return enabled.booleanValue();
  }

  @Nullable Signature signature() {
    var signature = body.path("signature");
    if (signature.isMissingNode() || signature.isNull()) {
      return null;
    }
    var scheme =
        SignatureScheme.named(signature.path("scheme").asText(""))
            .orElseThrow(() -> WebhookProblems.field("/signature/scheme", "UNKNOWN"));
    var secret = signature.path("secret").asText("");
    if (!scheme.takes(secret)) {
      throw WebhookProblems.field("/signature/secret", "INVALID");
    }
    return new Signature(scheme, secret);
  }
}
