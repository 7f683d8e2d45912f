package io.fengyu.workflow.definition;

import io.fengyu.workflow.WorkflowProblems;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.Locale;
import java.util.function.Function;

/** An owner's workflows, last changed first. */
@ApplicationScoped
class DefinitionList {

  /** Documents of one page; the first definition is always on it, however large. */
  private static final int MAX_PAGE_BYTES = 4 * 1024 * 1024;

  // Both walk the index definition_by_owner backwards from the cursor, and look one row further
  // than the page to know whether another one follows. Sizes are summed before any document is
  // read; what does not fit any more is left for the next page.
  private static final String FULL =
      """
      SELECT d.*, page.listed
        FROM (SELECT id AS page_id,
                     row_number() OVER w AS number,
                     sum(document_bytes::bigint) OVER w AS bytes,
                     count(*) OVER () AS listed
                FROM (SELECT id, updated_at, document_bytes
                        FROM workflow.definition
                       WHERE owner = $1 AND (updated_at, id) < ($2, $3)
                       ORDER BY updated_at DESC, id DESC
                       LIMIT $4 + 1) newest
              WINDOW w AS (ORDER BY updated_at DESC, id DESC)) page
        JOIN workflow.definition d ON d.id = page.page_id
       WHERE page.number <= $4 AND (page.number = 1 OR page.bytes <= $5)
       ORDER BY page.number""";

  private static final String SUMMARY =
      """
      SELECT newest.*, count(*) OVER () AS listed
        FROM (SELECT id, name, description, step_count, revision, published_revision, created_at,
                     updated_at
                FROM workflow.definition
               WHERE owner = $1 AND (updated_at, id) < ($2, $3)
               ORDER BY updated_at DESC, id DESC
               LIMIT $4 + 1) newest
       ORDER BY updated_at DESC, id DESC
       LIMIT $4""";

  private final Pool postgres;

  DefinitionList(Pool postgres) {
    this.postgres = postgres;
  }

  /** A page in one of the two views, {@code FULL} or {@code SUMMARY}, in any case. */
  Uni<? extends Page<?>> page(String view, String owner, Cursor after, int limit) {
    return switch (view.toUpperCase(Locale.ROOT)) {
      case "FULL" -> full(owner, after, limit);
      case "SUMMARY" -> summaries(owner, after, limit);
      default -> throw WorkflowProblems.badQuery("view");
    };
  }

  private Uni<Page<Definition>> full(String owner, Cursor after, int limit) {
    return postgres
        .preparedQuery(FULL)
        .execute(Tuple.of(owner, after.moment(), after.id(), limit, MAX_PAGE_BYTES))
        .map(rows -> page(rows, Definition::of));
  }

  private Uni<Page<DefinitionSummary>> summaries(String owner, Cursor after, int limit) {
    return postgres
        .preparedQuery(SUMMARY)
        .execute(Tuple.of(owner, after.moment(), after.id(), limit))
        .map(rows -> page(rows, DefinitionSummary::of));
  }

  private static <T> Page<T> page(RowSet<Row> rows, Function<Row, T> item) {
    var items = new ArrayList<T>(rows.size());
    Cursor last = null;
    long listed = 0;
    for (var row : rows) {
      items.add(item.apply(row));
      last = new Cursor(Definition.instant(row, "updated_at"), row.getString("id"));
      listed = row.getLong("listed");
    }
    return new Page<>(items, last == null || items.size() == listed ? null : last.toString());
  }
}
