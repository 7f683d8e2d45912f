package io.fengyu.workflow.definition;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.vertx.mutiny.sqlclient.Row;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A workflow without its documents.
 *
 * @param stepCount steps of the draft
 */
public record DefinitionSummary(
    String id,
    String name,
    String description,
    int stepCount,
    boolean published,
    int revision,
    @Nullable Integer publishedRevision,
    Instant createdAt,
    Instant updatedAt) {

  /** True when the active snapshot is older than the draft. */
  @JsonProperty
  public boolean hasUnpublishedChanges() {
    return publishedRevision != null && publishedRevision != revision;
  }

  static DefinitionSummary of(Row row) {
    var published = row.getInteger("published_revision");
    return new DefinitionSummary(
        row.getString("id"),
        row.getString("name"),
        row.getString("description"),
        row.getInteger("step_count"),
        published != null,
        row.getInteger("revision"),
        published,
        Definition.instant(row, "created_at"),
        Definition.instant(row, "updated_at"));
  }
}
