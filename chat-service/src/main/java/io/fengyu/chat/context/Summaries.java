package io.fengyu.chat.context;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.core.buffer.Buffer;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Summaries that were made before, found by what they stand for. */
@ApplicationScoped
class Summaries {

  // Probes of the primary key.
  private static final String FIND =
      """
      UPDATE chat.summary SET used_at = now()
       WHERE owner = $1 AND prefix = ANY (ARRAY(SELECT decode(p, 'hex') FROM unnest($2::text[]) p))
      RETURNING prefix, summary""";

  // Those that nobody asked for in a week go with the next one, by summary_age.
  private static final String KEEP =
      """
      WITH old AS (
        DELETE FROM chat.summary
         WHERE (owner, prefix) IN (SELECT owner, prefix FROM chat.summary
                                    WHERE used_at < now() - interval '7 days'
                                    ORDER BY used_at
                                    LIMIT 20
                                      FOR UPDATE SKIP LOCKED))
      INSERT INTO chat.summary (owner, prefix, conversation_id, summary) VALUES ($1, $2, $3, $4)
      ON CONFLICT (owner, prefix) DO UPDATE SET summary = excluded.summary, used_at = now()""";

  private static final int LOOKED_AT = 64;

  private final Pool pool;

  Summaries(Pool pool) {
    this.pool = pool;
  }

  /**
   * A summary.
   *
   * @param rounds how many rounds it stands for
   */
  record Kept(int rounds, String text) {}

  /** The one that stands for most of these rounds; null for none. */
  Uni<@Nullable Kept> longest(String owner, byte[][] prefixes) {
    var from = Math.max(0, prefixes.length - LOOKED_AT);
    var asked = new String[prefixes.length - from];
    for (var i = from; i < prefixes.length; i++) {
      asked[i - from] = HexFormat.of().formatHex(prefixes[i]);
    }
    return pool.preparedQuery(FIND)
        .execute(Tuple.tuple().addString(owner).addArrayOfString(asked))
        .map(
            rows -> {
              Kept best = null;
              for (var row : rows) {
                var rounds = index(prefixes, row.getBuffer("prefix").getBytes()) + 1;
                if (best == null || rounds > best.rounds()) {
                  best = new Kept(rounds, row.getString("summary"));
                }
              }
              return best;
            });
  }

  private static int index(byte[][] prefixes, byte[] found) {
    for (var i = prefixes.length - 1; i >= 0; i--) {
      if (Arrays.equals(prefixes[i], found)) {
        return i;
      }
    }
    return -1;
  }

  Uni<Void> keep(String owner, byte[] prefix, @Nullable String conversation, String summary) {
    var values =
        Tuple.tuple()
            .addString(owner)
            .addBuffer(Buffer.buffer(prefix))
            .addString(conversation)
            .addString(summary.replace('\0', '\uFFFD'));
    return pool.preparedQuery(KEEP).execute(values).replaceWithVoid();
  }
}
