package io.fengyu.chat.model.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.chat.model.BaseUrl;
import io.fengyu.chat.model.EndpointPolicy;
import io.fengyu.contract.problem.Problem;
import io.fengyu.contract.problem.ProblemException;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Reads members of a request body and collects everything that is wrong with them. */
final class Fields {

  private static final int LONGEST_NAME = 256;
  private static final int LONGEST_KEY = 4096;

  private final EndpointPolicy policy;
  private Problem problem;

  Fields(EndpointPolicy policy, String code) {
    this.policy = policy;
    problem = Problem.of(400, code);
  }

  /** Throws when anything was wrong. */
  void check() {
    if (!problem.errors().isEmpty()) {
      throw refusal();
    }
  }

  ProblemException refusal() {
    return problem.asFailure();
  }

  void wrong(String pointer, String code) {
    problem = problem.field(pointer, code, Map.of());
  }

  /** A section that must be an object; absent for an absent one. */
  Optional<ObjectNode> object(ObjectNode body, String name) {
    var value = body.get(name);
    if (value == null || value.isNull()) {
      return Optional.empty();
    }
    if (value instanceof ObjectNode object) {
      return Optional.of(object);
    }
    wrong("/" + name, "WRONG_TYPE");
    return Optional.empty();
  }

  /**
   * A member with two names. A value equal to what is stored gives way to a different twin, so that
   * a body that was read can be edited in one place and sent back.
   */
  Optional<JsonNode> twin(
      ObjectNode body, String name, String alias, String pointer, Predicate<JsonNode> stored) {
    var one = body.get(name);
    var other = body.get(alias);
    if (one == null || other == null) {
      return Optional.ofNullable(one == null ? other : one);
    }
    if (one.equals(other) || stored.test(other)) {
      return Optional.of(one);
    }
    if (!stored.test(one)) {
      wrong(pointer + "/" + alias, "CONTRADICTION");
    }
    return Optional.of(other);
  }

  /** A short text; empty for null and blank, which ask for the default. */
  Optional<String> name(JsonNode value, String pointer) {
    if (value.isNull()) {
      return Optional.empty();
    }
    if (!value.isTextual()) {
      wrong(pointer, "WRONG_TYPE");
    } else if (value.textValue().length() > LONGEST_NAME) {
      wrong(pointer, "TOO_LONG");
    }
    return Optional.of(value.asText().strip()).filter(text -> !text.isEmpty());
  }

  /** A provider's address; empty for null and blank, which ask for the default. */
  Optional<URI> url(JsonNode value, String pointer) {
    if (value.isNull() || (value.isTextual() && value.textValue().isBlank())) {
      return Optional.empty();
    }
    var url = value.isTextual() ? BaseUrl.parse(value.textValue()) : Optional.<URI>empty();
    if (url.isEmpty()) {
      wrong(pointer, "INVALID_URL");
    } else if (policy.refusesLiterally(url.get())) {
      wrong(pointer, "ADDRESS_NOT_ALLOWED");
    }
    return url;
  }

  /** A key as text; the caller decides what null, blank and masked mean. */
  @Nullable String key(JsonNode value, String pointer) {
    if (!value.isTextual()) {
      wrong(pointer, "WRONG_TYPE");
      return null;
    }
    var key = value.textValue().strip();
    if (key.length() > LONGEST_KEY || key.chars().anyMatch(c -> c < 0x21 || c > 0x7e)) {
      wrong(pointer, "INVALID_KEY");
    }
    return key;
  }

  void decimal(ObjectNode body, ObjectNode into, String name, double least, double most) {
    number(body, into, name, JsonNode::isNumber, least, most);
  }

  void whole(ObjectNode body, ObjectNode into, String name, Predicate<JsonNode> further, int most) {
    number(body, into, name, value -> value.isIntegralNumber() && further.test(value), 0, most);
  }

  void text(ObjectNode body, ObjectNode into, String name, int longest) {
    var value = body.get(name);
    if (value == null) {
      return;
    }
    if (value.isNull()) {
      into.remove(name);
    } else if (!value.isTextual()) {
      wrong("/" + name, "WRONG_TYPE");
    } else if (value.textValue().length() > longest) {
      wrong("/" + name, "TOO_LONG");
    } else {
      into.set(name, value);
    }
  }

  private void number(
      ObjectNode body,
      ObjectNode into,
      String name,
      Predicate<JsonNode> fits,
      double least,
      double most) {
    var value = body.get(name);
    if (value == null) {
      return;
    }
    if (value.isNull()) {
      into.remove(name);
    } else if (!value.isNumber()) {
      wrong("/" + name, "WRONG_TYPE");
    } else if (!fits.test(value) || value.asDouble() < least || value.asDouble() > most) {
      wrong("/" + name, "OUT_OF_RANGE");
    } else {
      into.set(name, value);
    }
  }
}
