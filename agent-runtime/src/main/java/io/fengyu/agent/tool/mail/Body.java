package io.fengyu.agent.tool.mail;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A request about mail data; a member that is left out, or null, stays as it was. */
final class Body {

  private static final int MOST_IDS = 200;

  private final JsonNode body;

  Body(ObjectNode body) {
    this.body = body;
  }

  boolean has(String field) {
    return !given(field).isMissingNode();
  }

  /** One line that is not blank. */
  String line(String field, int longest, @Nullable String absent) {
    var given = given(field);
    var line = given.isMissingNode() && absent != null ? absent : given.textValue();
    if (line == null || line.isBlank() || line.length() > longest || !Address.isLine(line)) {
      throw MailProblems.invalid(field, "a text on one line of 1 to " + longest + " characters");
    }
    return line.strip();
  }

  String email(@Nullable String absent) {
    return Address.email(line("email", Address.LONGEST, absent))
        .orElseThrow(() -> MailProblems.invalid("email", "an address like name@example.org"));
  }

  int port(int absent) {
    var given = given("port");
    if (given.isMissingNode()) {
      return absent;
    }
    if (!given.isInt() || given.intValue() < 1 || given.intValue() > 65_535) {
      throw MailProblems.invalid("port", "a number from 1 to 65535");
    }
    return given.intValue();
  }

  String oneOf(String field, List<String> words, String absent) {
    var given = given(field);
    if (given.isMissingNode()) {
      return absent;
    }
    if (!given.isTextual() || !words.contains(given.textValue())) {
      throw MailProblems.invalid(field, "one of " + String.join(", ", words));
    }
    return given.textValue();
  }

  /** A secret, or a name that goes with one, exactly as it is; an empty text takes it away. */
  @Nullable String exact(String field, int longest, @Nullable String absent) {
    var given = given(field);
    if (given.isMissingNode()) {
      return absent;
    }
    var text = given.textValue();
    if (text == null || text.length() > longest || !Address.isLine(text)) {
      throw MailProblems.invalid(field, "a text on one line of at most " + longest + " characters");
    }
    return text.isEmpty() ? null : text;
  }

  Set<Long> ids(String field, Set<Long> absent) {
    var given = given(field);
    if (given.isMissingNode()) {
      return absent;
    }
    if (!given.isArray() || given.size() > MOST_IDS) {
      throw MailProblems.invalid(field, "a list of at most " + MOST_IDS + " ids");
    }
    var ids = new LinkedHashSet<Long>();
    for (var id : given) {
      if (!id.isIntegralNumber() || !id.canConvertToLong()) {
        throw MailProblems.invalid(field, "a list of ids, which are whole numbers");
      }
      ids.add(id.longValue());
    }
    return ids;
  }

  private JsonNode given(String field) {
    var given = body.path(field);
    return given.isNull() ? MissingNode.getInstance() : given;
  }
}
