package io.fengyu.agent.tool.mail;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fengyu.contract.db.DatabaseAway;
import io.fengyu.contract.instance.Instances;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The tables of sendings. Its calls wait for the database: they are for threads that may. */
@ApplicationScoped
class SendStore {

  // A database that was killed is back within that; what a server has taken must be written down.
  private static final Duration PATIENCE = Duration.ofSeconds(25);

  // What ended long ago goes when its owner prepares something new; index mail_send_owner.
  private static final String FORGET =
      """
      DELETE FROM agent.mail_send
       WHERE owner = $1 AND created_at < now() - interval '90 days' AND state <> 'sending'""";

  private static final String PREPARE =
      """
      INSERT INTO agent.mail_send
             (id, owner, account_id, sender, sender_name, subject, plain_text, html_text, expires_at)
      SELECT $1, $2, $3, $4, $5, $6, $7, $8, now() + $9 * interval '1 millisecond'
       WHERE (SELECT count(*) FROM agent.mail_send
               WHERE owner = $2 AND state = 'prepared' AND expires_at > now()) < $10
      RETURNING expires_at""";

  private static final String ADD =
      """
      INSERT INTO agent.mail_message (send_id, n, content)
      SELECT $1, n, content FROM unnest($2::text[]) WITH ORDINALITY AS m (content, n)""";

  // Of calls that want one sending, exactly one gets it, before it has said a word to a server. The
  // row lock makes the others look again. Taken over is only what no living process is at: then
  // what was under way is unknown for good, and only what was never begun is left to do.
  private static final String CLAIM =
      """
      WITH claimed AS (
        UPDATE agent.mail_send s
           SET state = 'sending', claim = $3, holder = $4
         WHERE s.id = $1 AND s.owner = $2
           AND ((s.state = 'prepared' AND s.expires_at > now())
                OR (s.state = 'sending'
                    AND CASE WHEN s.holder = $4 THEN s.claim <> ALL ($5)
                             ELSE NOT EXISTS (
                               SELECT FROM platform.instances i
                                WHERE i.id = s.holder
                                  AND i.heartbeat_at > now() - $6 * interval '1 millisecond') END))
        RETURNING s.id
      ), doubtful AS (
        UPDATE agent.mail_message m
           SET state = 'unknown', settled_at = now(),
               error = 'the program ended while the mail was with the server'
          FROM claimed
         WHERE m.send_id = claimed.id AND m.state = 'intended')
      SELECT id FROM claimed""";

  // The claim is asked for, so that a process that lost it while it was frozen begins nothing more.
  // Said twice by the same call, it is the same intention.
  private static final String INTEND =
      """
      UPDATE agent.mail_message m
         SET state = 'intended', claim = $3, intended_at = now()
        FROM agent.mail_send s
       WHERE s.id = m.send_id AND s.state = 'sending' AND s.claim = $3
         AND m.send_id = $1 AND m.n = $2
         AND (m.state = 'prepared' OR (m.state = 'intended' AND m.claim = $3))
      RETURNING m.n""";

  // What is known for certain replaces what was assumed.
  private static final String SETTLE =
      """
      UPDATE agent.mail_message
         SET state = $4, error = $5, refused = $6, settled_at = now()
       WHERE send_id = $1 AND n = $2 AND claim = $3 AND state IN ('intended', 'unknown')""";

  private static final String FINISH =
      """
      WITH ended AS (
        UPDATE agent.mail_send
           SET state = 'ended', ended_at = now(), error = $3
         WHERE id = $1 AND claim = $2 AND state = 'sending'
        RETURNING id
      )
      UPDATE agent.mail_message m
         SET state = 'stopped', settled_at = now(), error = $3
        FROM ended
       WHERE m.send_id = ended.id AND m.state = 'prepared'""";

  private static final String REJECT =
      """
      UPDATE agent.mail_send SET state = 'rejected', ended_at = now()
       WHERE id = $1 AND owner = $2 AND state = 'prepared' AND expires_at > now()
      RETURNING id""";

  private static final String FIND =
      """
      SELECT s.*, s.expires_at <= now() AS expired,
             s.state = 'sending'
               AND CASE WHEN s.holder = $3 THEN s.claim = ANY ($4)
                        ELSE EXISTS (
                          SELECT FROM platform.instances i
                           WHERE i.id = s.holder
                             AND i.heartbeat_at > now() - $5 * interval '1 millisecond') END AS held
        FROM agent.mail_send s
       WHERE s.id = $1 AND s.owner = $2""";

  private static final String MAILS =
      """
      SELECT n, content, state, error, refused
        FROM agent.mail_message WHERE send_id = $1 ORDER BY n""";

  private final Pool pg;
  private final ObjectMapper json;
  private final Instances instances;
  private final ActiveClaims active;

  SendStore(Pool pg, ObjectMapper json, Instances instances, ActiveClaims active) {
    this.pg = pg;
    this.json = json;
    this.instances = instances;
    this.active = active;
  }

  /**
   * Stores a sending with all of its mails.
   *
   * @return until when it can be confirmed; null when the owner has {@code most} of them open
   */
  @Nullable Instant prepare(
      UUID id, Account account, Text text, List<Planned> mails, Duration confirmWithin, int most) {
    var send =
        Tuple.tuple(
            Arrays.asList(
                id,
                account.owner(),
                account.id(),
                account.email(),
                account.displayName(),
                text.subject(),
                text.plain(),
                text.html(),
                (double) confirmWithin.toMillis(),
                most));
    var contents = mails.stream().map(this::text).toArray(String[]::new);
    return waited(
        pg.preparedQuery(FORGET)
            .execute(Tuple.of(account.owner()))
            .chain(() -> pg.withTransaction(connection -> add(connection, id, send, contents))));
  }

  private static Uni<@Nullable Instant> add(
      SqlConnection connection, UUID id, Tuple send, String[] contents) {
    return connection
        .preparedQuery(PREPARE)
        .execute(send)
        .chain(
            rows ->
                rows.size() == 0
                    ? Uni.createFrom().nullItem()
                    : connection
                        .preparedQuery(ADD)
                        .execute(Tuple.of(id, contents))
                        .replaceWith(
                            rows.iterator().next().getOffsetDateTime("expires_at").toInstant()));
  }

  /** True when the sending is the caller's to send now, and nobody else's. */
  boolean claim(UUID id, String owner, UUID claim) {
    var values =
        Tuple.tuple(
            Arrays.asList(id, owner, claim, instances.id(), active.others(claim), leaseMs()));
    return waited(pg.preparedQuery(CLAIM).execute(values)).size() > 0;
  }

  /** True when the mail may be handed over now; on disk before anything is said about it. */
  boolean intend(UUID id, int n, UUID claim) {
    return outwaited(pg.preparedQuery(INTEND).execute(Tuple.of(id, n, claim))).size() > 0;
  }

  void settle(
      UUID id,
      int n,
      UUID claim,
      Sending.State state,
      @Nullable String error,
      List<String> refused) {
    var values =
        Tuple.tuple(
            Arrays.asList(
                id,
                n,
                claim,
                state.name().toLowerCase(Locale.ROOT),
                error,
                refused.toArray(String[]::new)));
    outwaited(pg.preparedQuery(SETTLE).execute(values));
  }

  /** Ends it; mails that were never begun are not sent any more. */
  void finish(UUID id, UUID claim, @Nullable String error) {
    outwaited(pg.preparedQuery(FINISH).execute(Tuple.of(id, claim, error)));
  }

  /** True when it was open and is not any more. */
  boolean reject(UUID id, String owner) {
    return waited(pg.preparedQuery(REJECT).execute(Tuple.of(id, owner))).size() > 0;
  }

  /** Null when the owner has none of that id. */
  @Nullable Sending find(UUID id, String owner) {
    var values = Tuple.of(id, owner, instances.id(), active.all(), leaseMs());
    var rows = outwaited(pg.preparedQuery(FIND).execute(values)).iterator();
    if (!rows.hasNext()) {
      return null;
    }
    var mails = new ArrayList<Sending.Mail>();
    outwaited(pg.preparedQuery(MAILS).execute(Tuple.of(id))).forEach(row -> mails.add(mail(row)));
    return sending(rows.next(), mails);
  }

  private static Sending sending(Row row, List<Sending.Mail> mails) {
    return new Sending(
        row.getUUID("id"),
        row.getLong("account_id"),
        new Address(row.getString("sender_name"), row.getString("sender")),
        new Text(row.getString("subject"), row.getString("plain_text"), row.getString("html_text")),
        row.getString("state"),
        row.getBoolean("expired"),
        row.getBoolean("held"),
        row.getString("error"),
        row.get(OffsetDateTime.class, "expires_at").toInstant(),
        List.copyOf(mails));
  }

  private Sending.Mail mail(Row row) {
    return new Sending.Mail(
        row.getInteger("n"),
        planned(row.getString("content")),
        Sending.State.valueOf(row.getString("state").toUpperCase(Locale.ROOT)),
        row.getString("error"),
        List.of(row.getArrayOfStrings("refused")));
  }

  private double leaseMs() {
    return instances.leaseTtl().toMillis();
  }

  private static <T> T waited(Uni<T> statement) {
    return statement.await().atMost(Ids.PATIENCE);
  }

  private static RowSet<Row> outwaited(Uni<RowSet<Row>> statement) {
    return DatabaseAway.outwaited(statement, PATIENCE).await().atMost(Ids.PATIENCE);
  }

  private String text(Planned mail) {
    try {
      return json.writeValueAsString(mail);
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException("A mail is always JSON", impossible);
    }
  }

  private Planned planned(String text) {
    try {
      return json.readValue(text, Planned.class);
    } catch (JsonProcessingException damaged) {
      throw new IllegalStateException("The table holds mails", damaged);
    }
  }
}
