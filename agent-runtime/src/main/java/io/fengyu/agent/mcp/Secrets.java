package io.fengyu.agent.mcp;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.Map;

/** Values that are stored encrypted and never shown. */
record Secrets(Map<String, String> headers, Map<String, String> env) {

  static final Secrets NONE = new Secrets(Map.of(), Map.of());

  @JsonIgnore
  boolean isEmpty() {
    return headers.isEmpty() && env.isEmpty();
  }

  /** A text of somebody else with these values made unreadable. */
  String masked(String text) {
    var masked = text;
    for (var values : java.util.List.of(headers, env)) {
      for (var value : values.values()) {
        masked = without(value, masked);
        // "Bearer abc": a server may repeat what follows the scheme.
        masked = without(value.substring(value.indexOf(' ') + 1), masked);
      }
    }
    return masked;
  }

  private static String without(String value, String text) {
    return value.length() < 6 ? text : text.replace(value, "***");
  }

  @Override
  public String toString() {
    return "Secrets[" + headers.keySet() + env.keySet() + "]";
  }
}
