package io.fengyu.contract.identity;

import org.jspecify.annotations.Nullable;

/** What authentication found out about one request. */
record Identity(
    String owner,
    boolean admin,
    boolean internal,
    @Nullable String sessionId,
    @Nullable String runId,
    @Nullable String operationId) {

  static Identity user(String owner, boolean admin) {
    return new Identity(owner, admin, false, null, null, null);
  }
}
