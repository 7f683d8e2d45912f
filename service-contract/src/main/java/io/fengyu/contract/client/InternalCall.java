package io.fengyu.contract.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpMethod;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One call to another service, being put together; sent again with every subscription. */
public final class InternalCall {

  private static final Duration USUAL = Duration.ofSeconds(5);
  private static final Duration LONG = Duration.ofSeconds(30);

  private final InternalClient client;
  final Service service;
  final HttpMethod method;
  final String path;
  final Map<String, String> headers = new LinkedHashMap<>();
  final Map<String, String> query = new LinkedHashMap<>();
  Duration limit = USUAL;
  @Nullable JsonNode body;

  InternalCall(InternalClient client, Service service, HttpMethod method, String path) {
    this.client = client;
    this.service = service;
    this.method = method;
    this.path = path;
  }

  /** On whose behalf; without it the call touches nobody's data. */
  public InternalCall as(String owner) {
    return header("X-User-ID", owner);
  }

  /** The session the work belongs to. */
  public InternalCall session(@Nullable String id) {
    return header("X-Session-ID", id);
  }

  /** The run the work belongs to. */
  public InternalCall run(@Nullable String id) {
    return header("X-Run-ID", id);
  }

  /** Makes a write safe to send again: the callee does the same operation once. */
  public InternalCall operation(@Nullable String id) {
    return header("X-Operation-ID", id);
  }

  /** Adds a header; null adds none. */
  public InternalCall header(String name, @Nullable String value) {
    if (value != null) {
      headers.put(name, value);
    }
    return this;
  }

  /** Adds a query parameter, encoded here; null adds none. */
  public InternalCall query(String name, @Nullable String value) {
    if (value != null) {
      query.put(name, value);
    }
    return this;
  }

  /** Sends this as JSON. */
  public InternalCall json(JsonNode json) {
    this.body = json;
    return this;
  }

  /** For tool lists, snapshots and the like: thirty seconds instead of five. */
  public InternalCall patient() {
    this.limit = LONG;
    return this;
  }

  /**
   * Sends it. Fails with the callee's own problem, or with 503 {@code DEPENDENCY_UNAVAILABLE} when
   * there is no answer: {@code params.outcome} is then {@code none} when certainly nothing arrived
   * and {@code unknown} otherwise.
   */
  public Uni<Answer> send() {
    return client.send(this);
  }

  /** True when sending it twice does no harm. */
  boolean repeatable() {
    return method.equals(HttpMethod.GET)
        || method.equals(HttpMethod.HEAD)
        || headers.containsKey("X-Operation-ID");
  }
}
