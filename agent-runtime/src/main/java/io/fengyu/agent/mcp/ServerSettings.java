package io.fengyu.agent.mcp;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.fengyu.agent.tool.Effect;
import io.fengyu.agent.tool.ToolSpec;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a server is reached and what is thought of its tools; no secrets.
 *
 * @param endpoint path below {@code url}; null when the url is the whole address
 * @param command program of this machine; null for a server over HTTP
 * @param headerNames names of the stored headers, whose values are elsewhere
 * @param envKeys names of the stored variables
 * @param internal true for a server of the company itself, which gets the internal secret
 * @param disabledTools tools that are never offered
 * @param toolEffects what people know better than the default, by the server's own tool names
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
record ServerSettings(
    Protocol type,
    @Nullable String url,
    @Nullable String endpoint,
    @Nullable String command,
    List<String> args,
    List<String> headerNames,
    List<String> envKeys,
    boolean internal,
    List<String> disabledTools,
    int requestTimeoutSeconds,
    int initTimeoutSeconds,
    Map<String, Effect> toolEffects,
    Map<String, ToolSpec.Resources> toolResources) {

  /** How it is spoken to. */
  enum Protocol {
    @JsonProperty("streamable-http")
    STREAMABLE_HTTP,
    @JsonProperty("sse")
    SSE,
    @JsonProperty("stdio")
    STDIO
  }

  /** True for a program of this machine. */
  @JsonIgnore
  boolean program() {
    return type == Protocol.STDIO;
  }

  /** Where messages go; only for a server over HTTP. */
  @JsonIgnore
  URI address() {
    var base = String.valueOf(url);
    if (endpoint == null || endpoint.isEmpty()) {
      return URI.create(base);
    }
    return URI.create(base.replaceFirst("/+$", "") + "/" + endpoint.replaceFirst("^/+", ""));
  }

  /** What its secrets belong to: they are sent there and nowhere else. */
  @JsonIgnore
  String origin() {
    if (program()) {
      return "program";
    }
    var address = address();
    return (address.getScheme() + "://" + address.getRawAuthority())
        .toLowerCase(java.util.Locale.ROOT);
  }
}
