package io.fengyu.workflow.definition;

import io.fengyu.workflow.WorkflowProblems;
import io.fengyu.workflow.json.RawBody;
import io.fengyu.workflow.validation.Draft;
import io.fengyu.workflow.validation.DraftChecks;
import io.fengyu.workflow.validation.RetrySafety;
import io.fengyu.workflow.validation.WorkflowName;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import org.jspecify.annotations.Nullable;

/** Creating, saving and copying drafts. */
@ApplicationScoped
public class Definitions {

  private final DefinitionStore store;
  private final DraftChecks checks;
  private final RetrySafety retrySafety;

  Definitions(DefinitionStore store, DraftChecks checks, RetrySafety retrySafety) {
    this.store = store;
    this.checks = checks;
    this.retrySafety = retrySafety;
  }

  /** The draft, or 404. */
  public Uni<Definition> get(String id, String owner) {
    return store
        .find(WorkflowId.known(id), owner)
        .onItem()
        .ifNull()
        .failWith(() -> WorkflowProblems.notFound(id));
  }

  /** Stores a new draft. */
  public Uni<Definition> create(String owner, RawBody body) {
    var draft = checks.check(body);
    return retrySafety.check(owner, draft.checked()).chain(() -> store.insert(owner, draft));
  }

  /** The revision is looked at first: a stale body is told so, whatever else is wrong with it. */
  Uni<Definition> save(String id, String owner, RawBody body) {
    var expected = expectedOf(body);
    return current(id, owner, expected)
        .map(current -> checks.check(body))
        .call(draft -> retrySafety.check(owner, draft.checked()))
        .chain(draft -> write(id, owner, expected, draft));
  }

  Uni<Definition> duplicate(String id, String owner, @Nullable String name) {
    var chosen = name == null ? null : WorkflowName.checked(name);
    return get(id, owner)
        .chain(
            original ->
                store.copy(
                    id, owner, chosen == null ? WorkflowName.ofCopy(original.name()) : chosen))
        .onItem()
        .ifNull()
        .failWith(() -> WorkflowProblems.notFound(id));
  }

  private Uni<Definition> write(String id, String owner, @Nullable Integer expected, Draft draft) {
    return store
        .replace(id, owner, expected, draft)
        .onItem()
        .ifNull()
        .switchTo(() -> current(id, owner, expected).map(Definitions::changedMeanwhile));
  }

  /** The stored revision; 404 without one, 409 when it is not the expected one. */
  private Uni<Integer> current(String id, String owner, @Nullable Integer expected) {
    return store
        .revision(WorkflowId.known(id), owner)
        .onItem()
        .ifNull()
        .failWith(() -> WorkflowProblems.notFound(id))
        .invoke(actual -> refuseStale(id, expected, actual));
  }

  private static void refuseStale(String id, @Nullable Integer expected, int actual) {
    if (expected != null && expected != actual) {
      throw WorkflowProblems.revisionConflict(id, expected, actual);
    }
  }

  // Revisions only grow, so a write that met another revision cannot find the expected one later.
  private static Definition changedMeanwhile(Integer revision) {
    throw new IllegalStateException("a draft at revision " + revision + " was not written");
  }

  /** A client that sends back what it read is protected too. */
  private static @Nullable Integer expectedOf(RawBody body) {
    var expected = body.integer("expectedRevision");
    return expected == null ? body.integer("revision") : expected;
  }
}
