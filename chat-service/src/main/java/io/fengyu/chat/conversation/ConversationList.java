package io.fengyu.chat.conversation;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An owner's conversations, the one that changed last first. */
@ApplicationScoped
class ConversationList {

  // Index conversation_latest; what is searched for is looked for in one owner's texts only.
  private static final String PAGE =
      """
      SELECT id, title, created_at, updated_at
        FROM chat.conversation c
       WHERE owner = $1 AND (updated_at, id) < ($2, $3)
         AND ($4 = ''
              OR position(lower($4) IN lower(title)) > 0
              OR EXISTS (SELECT FROM chat.message m
                          WHERE m.owner = c.owner AND m.conversation_id = c.id
                            AND position(lower($4) IN lower(m.content)) > 0))
       ORDER BY updated_at DESC, id DESC
       LIMIT $5""";

  private final Pool pool;

  ConversationList(Pool pool) {
    this.pool = pool;
  }

  /** A conversation without what was said. */
  public record Summary(String id, String title, Instant createdAt, Instant updatedAt) {

    static Summary of(Row row) {
      return new Summary(
          row.getString("id"),
          row.getString("title"),
          row.get(OffsetDateTime.class, "created_at").toInstant(),
          row.get(OffsetDateTime.class, "updated_at").toInstant());
    }
  }

  /**
   * One page.
   *
   * @param next cursor of the following page; null on the last one
   */
  record Page(List<Summary> items, @Nullable String next) {}

  /** A page of those whose title or messages contain {@code words}; all of them for none. */
  Uni<Page> page(String owner, String words, ListCursor after, int limit) {
    return pool.preparedQuery(PAGE)
        .execute(Tuple.of(owner, after.updatedAt(), after.id(), words, limit + 1))
        .map(
            rows -> {
              var found = new ArrayList<Row>(rows.size());
              rows.forEach(found::add);
              var more = found.size() > limit;
              var shown = more ? found.subList(0, limit) : found;
              return new Page(
                  shown.stream().map(Summary::of).toList(), more ? next(shown.getLast()) : null);
            });
  }

  private static String next(Row last) {
    return new ListCursor(last.get(OffsetDateTime.class, "updated_at"), last.getString("id"))
        .text();
  }
}
