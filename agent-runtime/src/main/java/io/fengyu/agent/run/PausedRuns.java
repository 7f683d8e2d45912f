package io.fengyu.agent.run;

import io.fengyu.agent.history.Usages;
import io.fengyu.agent.journal.StoredRun;
import io.fengyu.agent.tool.ToolCatalog;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Objects;
import java.util.Optional;

/** Reads what is needed to go on with a paused run, whoever paused it. */
@ApplicationScoped
class PausedRuns {

  private final StepHistory history;
  private final DirectHistory talks;
  private final Usages usages;
  private final ToolCatalog catalog;

  PausedRuns(StepHistory history, DirectHistory talks, Usages usages, ToolCatalog catalog) {
    this.history = history;
    this.talks = talks;
    this.usages = usages;
    this.catalog = catalog;
  }

  /** Reads everything: once a gate is released nothing may go wrong any more. */
  Uni<PausedRun> of(StoredRun run) {
    var gateId = Objects.requireNonNull(run.gateId());
    var gate = Json.stored(Objects.requireNonNull(run.pendingGate()));
    return Uni.combine()
        .all()
        .unis(history.of(run.id()), talk(run), catalog.snapshot(run.owner()), usages.of(run.id()))
        .asTuple()
        .map(
            all ->
                new PausedRun(
                    run,
                    gateId,
                    gate,
                    all.getItem1(),
                    all.getItem2().orElse(null),
                    all.getItem3(),
                    all.getItem4()));
  }

  /** A run that never had a plan paused in its conversation with a model. */
  private Uni<Optional<DirectTalk>> talk(StoredRun run) {
    return run.plan() == null
        ? talks.of(run.id()).map(Optional::of)
        : Uni.createFrom().item(Optional.empty());
  }
}
