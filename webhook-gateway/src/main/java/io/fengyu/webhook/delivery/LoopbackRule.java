package io.fengyu.webhook.delivery;

import io.fengyu.contract.net.Cidrs;
import io.fengyu.contract.net.ClientAddress;
import io.fengyu.contract.net.RequestEnvelope;
import io.fengyu.contract.problem.Problem;
import io.fengyu.contract.problem.ProblemWriter;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import org.jboss.logging.Logger;

/** Refuses deliveries from elsewhere before a secret is looked at or a body is read. */
@ApplicationScoped
class LoopbackRule {

  private static final Logger LOG = Logger.getLogger(LoopbackRule.class);
  private static final String DELIVERIES = "/api/workflow-hooks/";
  private static final int BEFORE_AUTHENTICATION = RequestEnvelope.PRIORITY - 5;

  private final SourceConfig config;
  private final Cidrs trusted;
  private final ClientAddress addresses;
  private final ProblemWriter problems;

  LoopbackRule(SourceConfig config, ClientAddress addresses, ProblemWriter problems) {
    this.config = config;
    this.trusted = Cidrs.parse("WEBHOOK_TRUSTED_SOURCES", config.trustedSources().orElse(""));
    this.addresses = addresses;
    this.problems = problems;
  }

  void start(@Observes StartupEvent started) {
    if (!config.loopbackOnly()) {
      LOG.warn("WEBHOOK_LOOPBACK_ONLY is false: webhook deliveries are taken from everywhere");
    }
  }

  void register(@Observes Filters filters) {
    if (config.loopbackOnly()) {
      filters.register(this::check, BEFORE_AUTHENTICATION);
    }
  }

  private void check(RoutingContext context) {
    if (delivers(context) && !local(addresses.of(context.request()))) {
      problems.write(context, Problem.of(403, "LOOPBACK_ONLY"));
    } else {
      context.next();
    }
  }

  private static boolean delivers(RoutingContext context) {
    return context.request().method().equals(HttpMethod.POST)
        && context.normalizedPath().startsWith(DELIVERIES);
  }

  private boolean local(String address) {
    return (config.trustLoopback() && Cidrs.loopback(address)) || trusted.contain(address);
  }
}
