package io.fengyu.agent.tool.mail;

import com.fasterxml.jackson.databind.JsonNode;
import io.fengyu.agent.tool.ToolArgs;
import io.fengyu.agent.tool.ToolCall;
import io.fengyu.agent.tool.ToolException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads the arguments that tools of the family share. */
final class MailArgs {

  private static final int MOST = 200;
  private static final int LONGEST_SUBJECT = 500;
  private static final int LONGEST_TEXT = 500_000;

  private final ToolArgs args;

  private MailArgs(ToolArgs args) {
    this.args = args;
  }

  static MailArgs of(ToolCall call) {
    return new MailArgs(ToolArgs.of(call));
  }

  ToolArgs plain() {
    return args;
  }

  long id(String name) throws ToolException {
    var value = args.given(name);
    if (value == null) {
      throw new ToolException("argument '" + name + "' is missing");
    }
    return id(name, value);
  }

  UUID confirmationId() throws ToolException {
    var id = Ids.uuid(args.text("confirmationId").strip());
    if (id == null) {
      throw unknownSending();
    }
    return id;
  }

  static ToolException unknownSending() {
    return new ToolException("there is no prepared sending with this confirmationId");
  }

  Set<Long> ids(String name) throws ToolException {
    var ids = new LinkedHashSet<Long>();
    for (var value : list(name)) {
      ids.add(id(name, value));
    }
    return ids;
  }

  /** Addresses, as a list or as one text with commas between them. */
  List<Address> addresses(String name) throws ToolException {
    var addresses = new ArrayList<Address>();
    for (var text : texts(name)) {
      for (var one : text.contains("<") ? List.of(text) : List.of(text.split("[,;]"))) {
        if (!one.isBlank()) {
          addresses.add(
              Address.read(one)
                  .orElseThrow(
                      () ->
                          new ToolException(
                              "argument '" + name + "' has no mail address: " + visible(one))));
        }
      }
    }
    return BatchPlan.distinct(addresses);
  }

  List<String> texts(String name) throws ToolException {
    var texts = new ArrayList<String>();
    for (var value : list(name)) {
      if (!value.isTextual()) {
        throw new ToolException("argument '" + name + "' must be a list of texts");
      }
      if (!value.textValue().isBlank()) {
        texts.add(value.textValue());
      }
    }
    return texts;
  }

  Text text() throws ToolException {
    return new Text(subject(), body("plainText"), body("htmlText"));
  }

  private String subject() throws ToolException {
    var given = args.optionalText("subject");
    var subject = given == null ? "" : given.strip();
    if (subject.length() > LONGEST_SUBJECT || !Address.isLine(subject)) {
      throw new ToolException(
          "argument 'subject' must be one line of at most " + LONGEST_SUBJECT + " characters");
    }
    return subject;
  }

  private @Nullable String body(String name) throws ToolException {
    var given = args.optionalText(name);
    if (given != null
        && (given.length() > LONGEST_TEXT
            || given.chars().anyMatch(c -> c < ' ' && c != '\n' && c != '\r' && c != '\t'))) {
      throw new ToolException(
          "argument '"
              + name
              + "' must be a text of at most "
              + LONGEST_TEXT
              + " characters without control characters");
    }
    return given == null || given.isEmpty() ? null : given;
  }

  /** One value counts as a list of one; an empty text as none. */
  private List<JsonNode> list(String name) throws ToolException {
    var value = args.given(name);
    if (value == null || (value.isTextual() && value.textValue().isBlank())) {
      return List.of();
    }
    if (!value.isArray()) {
      return List.of(value);
    }
    if (value.size() > MOST) {
      throw new ToolException("argument '" + name + "' may have at most " + MOST + " elements");
    }
    var list = new ArrayList<JsonNode>();
    value.forEach(list::add);
    return list;
  }

  private static long id(String name, JsonNode value) throws ToolException {
    if (value.isIntegralNumber() && value.canConvertToLong()) {
      return value.longValue();
    }
    var number = value.isTextual() ? Ids.number(value.textValue().strip()) : null;
    if (number == null) {
      throw new ToolException("argument '" + name + "' must hold whole numbers: ids");
    }
    return number;
  }

  private static String visible(String text) {
    var shown = text.replaceAll("\\p{Cntrl}", "?").strip();
    return shown.length() > 100 ? shown.substring(0, 100) : shown;
  }
}
