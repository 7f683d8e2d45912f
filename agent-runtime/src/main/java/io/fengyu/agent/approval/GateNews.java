package io.fengyu.agent.approval;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;

/** Notes what opened and closed at other services, for those who watch. */
@ApplicationScoped
class GateNews {

  // A repetition finds its row: a gate opens once and closes once.
  private static final String NOTE =
      """
      WITH noted AS (
        INSERT INTO agent.approval_event (owner, source, subject, gate_id, type, outcome)
        SELECT $1, $2, $3, $4, $5, $6
         WHERE NOT EXISTS (SELECT FROM agent.approval_event
                            WHERE owner = $1 AND gate_id = $4 AND type = $5)
        RETURNING owner)
      SELECT pg_notify('agent_approval', owner) FROM noted""";

  private final Pool pool;

  GateNews(Pool pool) {
    this.pool = pool;
  }

  Uni<Void> note(String owner, NewsResource.News news) {
    var closed = news.type().equals("closed");
    var outcome = news.outcome() == null ? "cancelled" : news.outcome();
    var values =
        Tuple.tuple()
            .addString(owner)
            .addString(news.source())
            .addString(news.subject())
            .addString(news.gateId())
            .addString(news.type())
            .addString(closed ? outcome : null);
    return pool.preparedQuery(NOTE).execute(values).replaceWithVoid();
  }
}
