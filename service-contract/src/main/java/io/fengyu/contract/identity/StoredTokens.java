package io.fengyu.contract.identity;

import io.fengyu.contract.db.Listener;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;
import io.vertx.core.buffer.Buffer;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Instance;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The tokens that users were given at run time, remembered for seconds at most. */
@ApplicationScoped
class StoredTokens {

  /** Announces that tokens or users changed. */
  static final String CHANNEL = "fengyu_tokens";

  private static final Duration MEMORY = Duration.ofSeconds(5);
  private static final Duration PATIENCE = Duration.ofSeconds(3);
  private static final int MOST = 10_000;

  // Index api_token_by_digest, then the primary key of the user.
  private static final String FIND =
      """
      SELECT u.id, u.role = 'admin' AS admin
        FROM platform.api_token t
        JOIN platform.app_user u ON u.id = t.user_id
       WHERE t.digest = $1 AND (t.expires_at IS NULL OR t.expires_at > now())""";

  private static final String ANY = "SELECT EXISTS (SELECT FROM platform.api_token) AS any";

  private record Remembered<T>(T value, long until) {
    boolean fresh() {
      return System.nanoTime() - until < 0;
    }
  }

  private final Instance<Pool> pool;
  private final Listener listener;
  private final ConcurrentHashMap<Digest, Remembered<Optional<Identity>>> known =
      new ConcurrentHashMap<>();
  private volatile @Nullable Remembered<Boolean> any;

  StoredTokens(Instance<Pool> pool, Listener listener) {
    this.pool = pool;
    this.listener = listener;
  }

  void start(@Observes StartupEvent started) {
    listener.listen(CHANNEL, changed -> forget(), this::forget);
  }

  Uni<Optional<Identity>> find(Digest digest) {
    var remembered = known.get(digest);
    if (remembered != null && remembered.fresh()) {
      return Uni.createFrom().item(remembered.value);
    }
    return pool.get()
        .preparedQuery(FIND)
        .execute(Tuple.of(Buffer.buffer(digest.bytes())))
        .map(StoredTokens::identity)
        .ifNoItem()
        .after(PATIENCE)
        .fail()
        .invoke(found -> remember(digest, found));
  }

  /** True when some user has a token, so that nobody may come without one. */
  Uni<Boolean> exist() {
    var remembered = any;
    if (remembered != null && remembered.fresh()) {
      return Uni.createFrom().item(remembered.value);
    }
    return pool.get()
        .query(ANY)
        .execute()
        .map(rows -> rows.iterator().next().getBoolean("any"))
        .ifNoItem()
        .after(PATIENCE)
        .fail()
        .invoke(exists -> any = new Remembered<>(exists, until()));
  }

  private void forget() {
    known.clear();
    any = null;
  }

  private void remember(Digest digest, Optional<Identity> found) {
    if (known.size() >= MOST) {
      known.clear();
    }
    known.put(digest, new Remembered<>(found, until()));
  }

  private static long until() {
    return System.nanoTime() + MEMORY.toNanos();
  }

  private static Optional<Identity> identity(RowSet<Row> rows) {
    for (var row : rows) {
      return Optional.of(Identity.user(row.getString("id"), row.getBoolean("admin")));
    }
    return Optional.empty();
  }
}
