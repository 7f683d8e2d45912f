package io.fengyu.agent.tool.mail;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The table of accounts. */
@ApplicationScoped
class AccountStore {

  // Index mail_account_owner.
  private static final String LIST =
      "SELECT * FROM agent.mail_account WHERE owner = $1 ORDER BY id";

  private static final String FIND =
      "SELECT * FROM agent.mail_account WHERE id = $1 AND owner = $2";

  private static final String CREATE =
      """
      INSERT INTO agent.mail_account
             (owner, secret_key, display_name, email, host, port, security, username, sealed)
      SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9
       WHERE (SELECT count(*) FROM agent.mail_account WHERE owner = $1) < $10
      RETURNING *""";

  // A password that was changed since it was read is not replaced by the one from before.
  private static final String CHANGE =
      """
      UPDATE agent.mail_account
         SET display_name = $3, email = $4, host = $5, port = $6, security = $7, username = $8,
             sealed = $9
       WHERE id = $1 AND owner = $2 AND sealed IS NOT DISTINCT FROM $10
      RETURNING *""";

  private static final String RESEAL =
      "UPDATE agent.mail_account SET sealed = $2 WHERE id = $1 AND sealed = $3";

  // What was prepared from the account cannot be sent any more; indexes of the primary key and
  // mail_send_account.
  private static final String DELETE =
      """
      WITH gone AS (
        DELETE FROM agent.mail_account WHERE id = $1 AND owner = $2 RETURNING id
      ), closed AS (
        UPDATE agent.mail_send s
           SET state = 'rejected', ended_at = now(), error = 'its account was deleted'
          FROM gone
         WHERE s.account_id = gone.id AND s.state = 'prepared')
      SELECT id FROM gone""";

  private final Pool pg;

  AccountStore(Pool pg) {
    this.pg = pg;
  }

  Uni<List<Account>> list(String owner) {
    return pg.preparedQuery(LIST)
        .execute(Tuple.of(owner))
        .map(rows -> rows.stream().map(Account::of).toList());
  }

  /** Empty when the owner has none of that id. */
  Uni<Optional<Account>> find(String owner, long id) {
    return pg.preparedQuery(FIND).execute(Tuple.of(id, owner)).map(AccountStore::first);
  }

  /** Refused when the owner has {@code most} of them. */
  Uni<Account> create(Account account, int most) {
    return pg.preparedQuery(CREATE)
        .execute(
            Tuple.tuple(
                Arrays.asList(
                    account.owner(),
                    account.secretKey(),
                    account.displayName(),
                    account.email(),
                    account.host(),
                    account.port(),
                    account.security(),
                    account.username(),
                    account.sealed(),
                    most)))
        .map(rows -> first(rows).orElseThrow(() -> MailProblems.tooMany(most)));
  }

  /** Refused when it is gone or has got another password meanwhile. */
  Uni<Account> change(Account account, Account before) {
    return pg.preparedQuery(CHANGE)
        .execute(
            Tuple.tuple(
                Arrays.asList(
                    account.id(),
                    account.owner(),
                    account.displayName(),
                    account.email(),
                    account.host(),
                    account.port(),
                    account.security(),
                    account.username(),
                    account.sealed(),
                    before.sealed())))
        .map(rows -> first(rows).orElseThrow(MailProblems::accountChanged));
  }

  /** Stores the same password, sealed again. */
  Uni<Void> reseal(Account account, String before) {
    return pg.preparedQuery(RESEAL)
        .execute(Tuple.of(account.id(), account.sealed(), before))
        .replaceWithVoid();
  }

  /** Emits false when there was none. */
  Uni<Boolean> delete(String owner, long id) {
    return pg.preparedQuery(DELETE).execute(Tuple.of(id, owner)).map(rows -> rows.size() > 0);
  }

  private static Optional<Account> first(RowSet<Row> rows) {
    return rows.stream().findFirst().map(Account::of);
  }
}
