package io.fengyu.agent.guard;

import io.fengyu.agent.tool.WebRules;
import jakarta.enterprise.context.ApplicationScoped;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.jboss.logging.Logger;

/** Looks addresses up in the rules about the web. */
@ApplicationScoped
class DomainRules implements WebRules {

  private static final Logger LOG = Logger.getLogger(DomainRules.class);
  private static final String UNREADABLE = "the permission rules can't be read";

  private final RuleSource rules;

  DomainRules(RuleSource rules) {
    this.rules = rules;
  }

  @Override
  public Optional<String> denying(String owner, URI address) {
    return first(owner, address, false);
  }

  @Override
  public Optional<String> restricting(String owner, URI address) {
    return first(owner, address, true);
  }

  private Optional<String> first(String owner, URI address, boolean asking) {
    try {
      var inForce = rules.of(owner);
      var hosts = WebTargets.ofAddress(address.toString());
      var denied = first(inForce.deny(), hosts);
      return denied.isPresent() || !asking ? denied : first(inForce.ask(), hosts);
    } catch (RuntimeException unreadable) {
      LOG.warnf("The permission rules of %s can't be read: %s", owner, unreadable);
      return Optional.of(UNREADABLE);
    }
  }

  private static Optional<String> first(List<Rule> rules, WebTargets targets) {
    return rules.stream()
        .filter(rule -> rule instanceof Rule.Web web && targets.below(web.domain()))
        .map(Rule::text)
        .findFirst();
  }
}
