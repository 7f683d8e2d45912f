package io.fengyu.contract.identity;

import io.fengyu.contract.instance.Instances;
import io.fengyu.contract.net.Windows;
import io.fengyu.contract.problem.Problem;
import io.fengyu.contract.problem.ProblemException;
import jakarta.enterprise.context.ApplicationScoped;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * How often an owner may call and an address may guess, in the running minute. Each replica allows
 * its share of the limit.
 */
@ApplicationScoped
class Rates {

  private static final int SERVER_DEFAULT = 6_000;

  private final AuthenticationConfig config;
  private final int perMinute;
  private final Instances instances;
  private final Windows requests = new Windows(System::nanoTime);
  private final Windows failures = new Windows(System::nanoTime);

  Rates(
      AuthenticationConfig config,
      Instances instances,
      @ConfigProperty(name = "fengyu.profile") String profile) {
    this.config = config;
    var standard = profile.equals("workstation") ? 0 : SERVER_DEFAULT;
    this.perMinute = config.ratePerMinute() < 0 ? standard : config.ratePerMinute();
    this.instances = instances;
  }

  /** Counts a request of a known caller; refuses it when there were too many. */
  void admit(String owner) {
    var limit = perMinute;
    if (limit > 0 && requests.count(owner) > share(limit)) {
      throw refused(limit, requests);
    }
  }

  /** Counts a failed authentication; answers what the caller is told. */
  ProblemException failed(String address, Problem problem) {
    var limit = config.failuresPerMinute();
    return failures.count(address) > share(limit) ? refused(limit, failures) : problem.asFailure();
  }

  private int share(int limit) {
    return Math.max(1, limit / instances.liveReplicas());
  }

  private static ProblemException refused(int limit, Windows window) {
    return Problem.of(429, "RATE_LIMITED")
        .with("perMinute", limit)
        .retryAfter(window.remaining())
        .asFailure();
  }
}
