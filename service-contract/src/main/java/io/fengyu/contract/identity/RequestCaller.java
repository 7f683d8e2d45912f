package io.fengyu.contract.identity;

import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import jakarta.enterprise.context.RequestScoped;
import org.jspecify.annotations.Nullable;

/** The identity that the filter attached to the current request. */
@RequestScoped
class RequestCaller implements Caller {

  static final String KEY = "fengyu.identity";

  private final CurrentVertxRequest request;
  private @Nullable Identity identity;

  RequestCaller(CurrentVertxRequest request) {
    this.request = request;
  }

  @Override
  public String owner() {
    return identity().owner();
  }

  @Override
  public boolean admin() {
    return identity().admin();
  }

  @Override
  public boolean internal() {
    return identity().internal();
  }

  @Override
  public @Nullable String sessionId() {
    return identity().sessionId();
  }

  @Override
  public @Nullable String runId() {
    return identity().runId();
  }

  @Override
  public @Nullable String operationId() {
    return identity().operationId();
  }

  private Identity identity() {
    var known = identity;
    if (known == null) {
      var current = request.getCurrent();
      known = current == null ? null : current.<Identity>get(KEY);
      if (known == null) {
        throw new IllegalStateException("Nobody was authenticated for this call");
      }
      identity = known;
    }
    return known;
  }
}
