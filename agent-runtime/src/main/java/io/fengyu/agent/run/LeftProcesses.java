package io.fengyu.agent.run;

import io.fengyu.agent.journal.LeftBehind;
import io.fengyu.agent.process.Children;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Collection;
import java.util.UUID;
import java.util.stream.Collectors;

/** Ends the processes that dead executors of this machine started for their runs. */
@ApplicationScoped
class LeftProcesses implements LeftBehind {

  private final Children children;

  LeftProcesses(Children children) {
    this.children = children;
  }

  @Override
  public Uni<Boolean> end(Collection<UUID> runs) {
    if (runs.isEmpty()) {
      return Uni.createFrom().item(true);
    }
    var works = runs.stream().map(UUID::toString).collect(Collectors.toSet());
    return Uni.createFrom()
        .item(() -> children.endLeftBehind(works))
        .runSubscriptionOn(Thread::startVirtualThread);
  }
}
