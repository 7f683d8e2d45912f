package io.fengyu.agent.tool.browser;

import io.fengyu.agent.tool.WebRules;
import io.fengyu.agent.tool.web.Targets;
import io.fengyu.agent.tool.web.WebAddress;
import io.fengyu.contract.outbound.TargetPolicy.TargetRefusedException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Decides about every address that pages of one owner want to reach. */
final class Gate {

  private final String owner;
  private final Targets targets;
  private final WebRules rules;
  private volatile @Nullable String lastRefusal;

  Gate(String owner, Targets targets, WebRules rules) {
    this.owner = owner;
    this.targets = targets;
    this.rules = rules;
  }

  /** Where to connect to for an address; nothing when it is refused. */
  List<InetSocketAddress> open(String written) throws InterruptedException {
    var url = WebAddress.read(written);
    if (url.isEmpty()) {
      return refuse("no public http address: private or local address refused");
    }
    return open(url.get());
  }

  private List<InetSocketAddress> open(URI url) throws InterruptedException {
    var rule = rules.denying(owner, url);
    if (rule.isPresent()) {
      return refuse(url.getHost() + ": denied by rule " + rule.get());
    }
    try {
      return targets.of(url, false);
    } catch (TargetRefusedException refused) {
      return refuse(
          refused.unknownHost()
              ? String.valueOf(refused.getMessage())
              : url.getHost() + ": private or local address refused");
    }
  }

  private List<InetSocketAddress> refuse(String why) {
    lastRefusal = why;
    return List.of();
  }

  /** Why something was refused since the last time this was asked. */
  Optional<String> refusal() {
    var why = Optional.ofNullable(lastRefusal);
    lastRefusal = null;
    return why;
  }
}
