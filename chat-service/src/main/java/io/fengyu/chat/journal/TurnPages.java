package io.fengyu.chat.journal;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Events of turns, read from the table. */
@ApplicationScoped
public class TurnPages {

  private static final int ROWS = 64;

  // A range of the primary key.
  private static final String AFTER =
      """
      SELECT first, seq, type, data FROM chat.turn_event
       WHERE turn_id = $1 AND seq > $2
       ORDER BY seq
       LIMIT $3""";

  // Two probes of the primary key beside that of the turn.
  private static final String WINDOW =
      """
      SELECT t.status, t.ended_at IS NOT NULL AS ended,
             coalesce((SELECT min(e.first) FROM chat.turn_event e
                        WHERE e.turn_id = t.id
                          AND e.seq = (SELECT min(seq) FROM chat.turn_event m
                                        WHERE m.turn_id = t.id)), 0) AS first,
             coalesce((SELECT max(seq) FROM chat.turn_event e WHERE e.turn_id = t.id), -1) AS last
        FROM chat.turn t
       WHERE t.id = $1 AND t.owner = $2""";

  private final Pool pool;

  TurnPages(Pool pool) {
    this.pool = pool;
  }

  /** An event as it was said. */
  public record Said(String type, String data) {}

  /**
   * Which events there are.
   *
   * @param first the oldest
   * @param last the newest; -1 for none
   */
  record Window(TurnStatus status, boolean ended, long first, long last) {

    // What a dead process had shown beyond what it stored was numbered like the end written for it.
    boolean holds(long cursor) {
      var most = status == TurnStatus.INTERRUPTED ? last - 1 : last;
      return cursor >= first - 1 && cursor <= most;
    }
  }

  Uni<@Nullable Window> window(String owner, UUID id) {
    return pool.preparedQuery(WINDOW)
        .execute(Tuple.of(id, owner))
        .map(
            rows -> {
              for (var row : rows) {
                return new Window(
                    TurnStatus.valueOf(row.getString("status")),
                    row.getBoolean("ended"),
                    row.getLong("first"),
                    row.getLong("last"));
              }
              return null;
            });
  }

  /** Frames behind the cursor, in order, some at a time. */
  Uni<List<Frame>> after(UUID id, long cursor) {
    return pool.preparedQuery(AFTER)
        .execute(Tuple.of(id, cursor, ROWS))
        .map(rows -> frames(rows, cursor));
  }

  private static List<Frame> frames(RowSet<Row> rows, long cursor) {
    var frames = new ArrayList<Frame>();
    for (var row : rows) {
      var type = row.getString("type");
      var seq = row.getLong("first");
      if (!Frame.isText(type)) {
        frames.add(Frame.of(seq, type, row.getString("data")));
        continue;
      }
      for (var text : TextPiece.read(row.getString("data"))) {
        if (seq > cursor) {
          frames.add(Frame.fragment(seq, type, text));
        }
        seq++;
      }
    }
    return frames;
  }

  /** Everything that is kept of a turn, pieces of text joined; for its record. */
  public Uni<List<Said>> all(UUID id) {
    return pool.preparedQuery(AFTER)
        .execute(Tuple.of(id, -1L, Integer.MAX_VALUE))
        .map(
            rows -> {
              var said = new ArrayList<Said>();
              for (var row : rows) {
                var type = row.getString("type");
                var data = row.getString("data");
                said.add(
                    new Said(
                        type, Frame.isText(type) ? String.join("", TextPiece.read(data)) : data));
              }
              return said;
            });
  }

  /** The words among them. */
  public static String words(List<Said> said) {
    var words = new StringBuilder();
    for (var one : said) {
      if (one.type().equals(Frame.TOKEN)) {
        words.append(one.data());
      }
    }
    return words.toString();
  }
}
