package io.fengyu.chat.turn;

import io.fengyu.contract.client.InternalClient;
import io.fengyu.contract.client.Service;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jboss.logging.Logger;

/** The limits that an owner's turns have when they name none; agent-runtime keeps them. */
@ApplicationScoped
class OwnerBudget {

  private static final Logger LOG = Logger.getLogger(OwnerBudget.class);
  // As long as changed settings may take to be in force.
  private static final Duration GOOD_FOR = Duration.ofSeconds(2);
  private static final int MOST_OWNERS = 512;

  private record Known(Budget budget, Instant until) {}

  private final InternalClient client;
  private final Clock clock;
  private final Map<String, Known> known =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Known> eldest) {
          return size() > MOST_OWNERS;
        }
      };

  OwnerBudget(InternalClient client, Clock clock) {
    this.client = client;
    this.clock = clock;
  }

  /** While the settings cannot be read, what was read last holds; unlimited for nothing. */
  Uni<Budget> of(String owner) {
    var last = last(owner);
    if (last != null && clock.instant().isBefore(last.until())) {
      return Uni.createFrom().item(last.budget());
    }
    return client
        .get(Service.AGENT, "/api/settings")
        .as(owner)
        .send()
        .map(answer -> Budget.read(answer.body().path("budget")))
        .invoke(budget -> keep(owner, budget))
        .onFailure()
        .recoverWithItem(
            away -> {
              LOG.warnf("The budget of an owner is not read: %s", away.getMessage());
              return last == null ? Budget.UNLIMITED : last.budget();
            });
  }

  private @org.jspecify.annotations.Nullable Known last(String owner) {
    synchronized (known) {
      return known.get(owner);
    }
  }

  private void keep(String owner, Budget budget) {
    synchronized (known) {
      known.put(owner, new Known(budget, clock.instant().plus(GOOD_FOR)));
    }
  }
}
