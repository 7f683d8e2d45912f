package io.fengyu.contract.identity;

import io.fengyu.contract.instance.Instances;
import io.fengyu.contract.net.Windows;
import io.fengyu.contract.problem.Problem;
import jakarta.enterprise.context.ApplicationScoped;

/**
 * How many runs or turns an owner may start in the running minute, if that is limited at all. Each
 * replica allows its share.
 */
@ApplicationScoped
public class StartLimit {

  private final AuthenticationConfig config;
  private final Instances instances;
  private final Windows starts = new Windows(System::nanoTime);

  StartLimit(AuthenticationConfig config, Instances instances) {
    this.config = config;
    this.instances = instances;
  }

  /** Counts a start; fails with 429 when there were too many. */
  public void admit(String owner) {
    var limit = config.startsPerMinute();
    if (limit > 0 && starts.count(owner) > Math.max(1, limit / instances.liveReplicas())) {
      throw Problem.of(429, "RATE_LIMITED")
          .with("startsPerMinute", limit)
          .retryAfter(starts.remaining())
          .asFailure();
    }
  }
}
