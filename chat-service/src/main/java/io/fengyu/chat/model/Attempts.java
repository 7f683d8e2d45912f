package io.fengyu.chat.model;

import io.fengyu.contract.model.ModelEvent;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** The attempts of one request: how many there were, and whether another may follow. */
final class Attempts {

  private final Backend backend;
  private final ModelRequest request;
  private final ModelLimits limits;
  private final Protocol protocol;
  private int failed;
  private int adapted;
  private boolean spoke;
  private Set<String> sentWithout = Set.of();

  Attempts(Backend backend, ModelRequest request, ModelLimits limits) {
    this.backend = backend;
    this.request = request;
    this.limits = limits;
    protocol = Protocol.of(backend.mode());
  }

  Backend backend() {
    return backend;
  }

  ModelRequest request() {
    return request;
  }

  Protocol protocol() {
    return protocol;
  }

  /** 0 for the first. */
  int number() {
    return failed;
  }

  /** From the first event on nothing may be repeated. */
  void spoke(ModelEvent event) {
    spoke = true;
  }

  /** Which parameters this attempt leaves out. */
  Set<String> leavingOut(Set<String> parameters) {
    sentWithout = parameters;
    return parameters;
  }

  Set<String> sentWithout() {
    return sentWithout;
  }

  /** True a few times: as often as a request can reasonably have to be changed. */
  boolean mayAdapt() {
    return !spoke && adapted++ < 4;
  }

  /** How long to wait before another attempt; empty when there must be none. */
  Optional<Duration> waitBefore(ModelFailure failure) {
    if (spoke || !failure.isTransient() || failed >= limits.retries()) {
      return Optional.empty();
    }
    var own = limits.retryDelay().multipliedBy(1L << failed);
    var asked = failure.retryAfter() == null ? own : failure.retryAfter();
    failed++;
    if (asked.compareTo(limits.maxRetryDelay()) > 0 && failure.retryAfter() != null) {
      return Optional.empty();
    }
    var wait = asked.compareTo(own) > 0 ? asked : own;
    return Optional.of(wait.compareTo(limits.maxRetryDelay()) > 0 ? limits.maxRetryDelay() : wait);
  }
}
