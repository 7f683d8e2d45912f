package io.fengyu.agent.guard;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.tool.InnerRules;
import io.fengyu.agent.tool.ToolSpec;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/** Looks inner calls up in the rules that deny and ask. */
@ApplicationScoped
class RestrictingRules implements InnerRules {

  private static final Logger LOG = Logger.getLogger(RestrictingRules.class);

  private final RuleSource rules;

  RestrictingRules(RuleSource rules) {
    this.rules = rules;
  }

  @Override
  public Optional<String> restricting(String owner, ToolSpec tool, ObjectNode args) {
    try {
      var inForce = rules.of(owner);
      var call = new JudgedCall(tool, args, false);
      return Stream.concat(inForce.deny().stream(), inForce.ask().stream())
          .filter(rule -> call.match(rule) > -2)
          .map(Rule::text)
          .findFirst();
    } catch (RuntimeException unreadable) {
      LOG.warnf("The permission rules of %s can't be read: %s", owner, unreadable);
      return Optional.of("the permission rules can't be read");
    }
  }
}
