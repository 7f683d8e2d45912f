package io.fengyu.contract.identity;

import org.jspecify.annotations.Nullable;

/**
 * Who makes the current request; injected per request, set by the authentication filter and by
 * nothing else.
 */
public interface Caller {

  /** The owner whose data the call may touch. */
  String owner();

  /** True for role admin. */
  boolean admin();

  /** True when another service calls with the internal secret on behalf of {@link #owner()}. */
  boolean internal();

  /** Session of the call, from another service only; null otherwise. */
  @Nullable String sessionId();

  /** Run of the call, from another service only; null otherwise. */
  @Nullable String runId();

  /** Operation of the call, from another service only; null otherwise. */
  @Nullable String operationId();
}
