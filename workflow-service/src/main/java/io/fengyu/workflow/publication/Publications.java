package io.fengyu.workflow.publication;

import io.fengyu.workflow.WorkflowProblems;
import io.fengyu.workflow.definition.Definition;
import io.fengyu.workflow.definition.DefinitionStore;
import io.fengyu.workflow.definition.WorkflowId;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Publishing, taking back, and going back to what was published. */
@ApplicationScoped
public class Publications {

  private final PublicationStore store;
  private final DefinitionStore definitions;

  Publications(PublicationStore store, DefinitionStore definitions) {
    this.store = store;
    this.definitions = definitions;
  }

  Uni<Definition> publish(String id, String owner, Publish wish) {
    var expected = wish.expectedRevision();
    var changed =
        wish.published()
            ? store.publish(WorkflowId.known(id), owner, expected)
            : store.unpublish(WorkflowId.known(id), owner, expected);
    return changed
        .onItem()
        .ifNull()
        .switchTo(
            () -> current(id, owner, expected).map(revision -> refuse(WorkflowProblems.empty())));
  }

  Uni<Definition> restore(String id, String owner, String revision, @Nullable Integer expected) {
    return store
        .restore(WorkflowId.known(id), owner, expected, number(revision))
        .onItem()
        .ifNull()
        .switchTo(() -> refuseRestore(id, owner, revision, expected));
  }

  Uni<List<SnapshotInfo>> list(String id, String owner, int before, int limit) {
    return current(id, owner, null).chain(known -> store.list(id, owner, before, limit));
  }

  Uni<Definition> snapshot(String id, String owner, String revision) {
    return store
        .snapshot(WorkflowId.known(id), owner, number(revision))
        .onItem()
        .ifNull()
        .switchTo(
            () ->
                current(id, owner, null)
                    .map(known -> refuse(WorkflowProblems.revisionNotFound(id, sent(revision)))));
  }

  /** The snapshot that callers run now; 409 while there is none. */
  public Uni<Definition> active(String id, String owner) {
    return store
        .active(WorkflowId.known(id), owner)
        .onItem()
        .ifNull()
        .switchTo(
            () -> current(id, owner, null).map(known -> refuse(WorkflowProblems.notPublished(id))));
  }

  private Uni<Definition> refuseRestore(
      String id, String owner, String revision, @Nullable Integer expected) {
    return snapshot(id, owner, revision)
        .chain(there -> current(id, owner, expected))
        .map(current -> refuse(WorkflowProblems.notFound(id)));
  }

  /** The stored revision; 404 without one, 409 when it is not the expected one. */
  private Uni<Integer> current(String id, String owner, @Nullable Integer expected) {
    return definitions
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

  private static Definition refuse(RuntimeException refusal) {
    throw refusal;
  }

  /** The number of a snapshot; 0, which none has, when it is no number. */
  private static int number(String revision) {
    return revision.matches("[1-9][0-9]{0,8}") ? Integer.parseInt(revision) : 0;
  }

  private static Object sent(String revision) {
    return revision.matches("[0-9]{1,9}") ? (Object) Integer.valueOf(revision) : revision;
  }
}
