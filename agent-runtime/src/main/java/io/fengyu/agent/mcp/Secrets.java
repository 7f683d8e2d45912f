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
        masked = value.length() < 6 ? masked : masked.replace(value, "***");
      }
    }
    return masked;
  }

  @Override
  public String toString() {
    return "Secrets[" + headers.keySet() + env.keySet() + "]";
  }
}
