package io.fengyu.agent.tool.mail;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The sendings that calls of this process are at. One that the tables give to this process and that
 * is not among them was left behind by a call that could not write down its end.
 */
@ApplicationScoped
class ActiveClaims {

  private final Set<UUID> claims = ConcurrentHashMap.newKeySet();

  void add(UUID claim) {
    claims.add(claim);
  }

  void remove(UUID claim) {
    claims.remove(claim);
  }

  UUID[] all() {
    return claims.toArray(UUID[]::new);
  }

  UUID[] others(UUID claim) {
    return claims.stream().filter(each -> !each.equals(claim)).toArray(UUID[]::new);
  }
}
