package io.fengyu.agent.journal;

import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;

/**
 * Sends batches to the database. After an answer that never came it first looks whether the batch
 * has arrived, so that nothing is written twice. Used on the loop of the journal only.
 */
final class BatchWriter {

  private final JournalConnection connection;
  private final BooleanSupplier announce;
  private boolean answerLost;

  /**
   * @param announce true when other replicas must be told of new events
   */
  BatchWriter(JournalConnection connection, BooleanSupplier announce) {
    this.connection = connection;
    this.announce = announce;
  }

  /** Fails with what the database refused, or because it is away. */
  Future<JournalVerdict> write(JournalBatch batch) {
    var sent = answerLost ? afterLostAnswer(batch) : send(batch);
    return sent.onSuccess(verdict -> answerLost = false)
        .onFailure(cause -> answerLost |= !DatabaseFailures.isRefusal(cause));
  }

  /** Reads stored ends back; emits the runs whose end is there as it was written. */
  Future<Set<UUID>> readBack(List<JournalItem> closing) {
    return connection
        .execute(JournalSql.CONFIRM, JournalBatch.confirmation(closing))
        .map(BatchWriter::ids);
  }

  void close() {
    connection.close();
  }

  private Future<JournalVerdict> send(JournalBatch batch) {
    return connection
        .execute(batch.statement(), batch.parameters(announce.getAsBoolean()))
        .map(JournalVerdict::of);
  }

  // The statement may have been committed although its answer never came.
  private Future<JournalVerdict> afterLostAnswer(JournalBatch batch) {
    var probe = batch.probe();
    if (probe == null) {
      return send(batch);
    }
    return connection
        .execute(JournalSql.ARRIVED, probe)
        .map(BatchWriter::ids)
        .compose(
            arrived ->
                arrived.isEmpty()
                    ? send(batch)
                    : Future.succeededFuture(JournalVerdict.allOf(batch)));
  }

  private static Set<UUID> ids(RowSet<Row> rows) {
    var ids = new HashSet<UUID>();
    rows.forEach(row -> ids.add(row.getUUID(0)));
    return ids;
  }
}
