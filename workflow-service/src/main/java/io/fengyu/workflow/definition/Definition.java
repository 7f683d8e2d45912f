package io.fengyu.workflow.definition;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonRawValue;
import io.vertx.mutiny.sqlclient.Row;
import java.time.Instant;
import java.time.ZoneOffset;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A workflow as its owner sees it. The four documents are written as they were sent.
 *
 * @param graph {@code {}} when it was saved without a canvas
 * @param stepCount steps of the plan
 * @param revision grows with every save and publication, from 1
 * @param publishedRevision number of the active snapshot; null while not published
 */
public record Definition(
    String id,
    String name,
    String description,
    @JsonRawValue @Schema(type = SchemaType.OBJECT) String inputSchema,
    @JsonRawValue @Schema(type = SchemaType.OBJECT) String plan,
    @JsonRawValue @Schema(type = SchemaType.OBJECT) String layout,
    @JsonRawValue @Schema(type = SchemaType.OBJECT) String graph,
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

  /** A row with all columns of the definition table. */
  public static Definition of(Row row) {
    var published = row.getInteger("published_revision");
    return new Definition(
        row.getString("id"),
        row.getString("name"),
        row.getString("description"),
        row.getString("input_schema"),
        row.getString("plan"),
        row.getString("layout"),
        row.getString("graph"),
        row.getInteger("step_count"),
        published != null,
        row.getInteger("revision"),
        published,
        instant(row, "created_at"),
        instant(row, "updated_at"));
  }

  /** A moment as Postgres keeps it. */
  public static Instant instant(Row row, String column) {
    return row.getOffsetDateTime(column).withOffsetSameInstant(ZoneOffset.UTC).toInstant();
  }
}
