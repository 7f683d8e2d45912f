package io.fengyu.agent.tool.mail;

import io.fengyu.contract.problem.ProblemException;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;
import io.vertx.pgclient.PgException;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** The tables of groups and contacts. */
@ApplicationScoped
class AddressBook {

  private static final String UNIQUE_VIOLATION = "23505";

  // Index mail_tag_name.
  private static final String TAGS =
      "SELECT id, name FROM agent.mail_tag WHERE owner = $1 ORDER BY lower(name)";

  private static final String CREATE_TAG =
      """
      INSERT INTO agent.mail_tag (owner, name)
      SELECT $1, $2 WHERE (SELECT count(*) FROM agent.mail_tag WHERE owner = $1) < $3
      RETURNING id, name""";

  private static final String RENAME_TAG =
      "UPDATE agent.mail_tag SET name = $3 WHERE id = $1 AND owner = $2 RETURNING id, name";

  private static final String DELETE_TAG =
      "DELETE FROM agent.mail_tag WHERE id = $1 AND owner = $2 RETURNING id";

  private static final String TAG_IDS =
      """
      array(SELECT t.tag_id FROM agent.mail_contact_tag t WHERE t.contact_id = c.id
             ORDER BY t.tag_id) AS tag_ids""";

  // Index mail_contact_owner; the groups by primary key.
  private static final String CONTACTS =
      """
      SELECT c.id, c.name, c.email, count(*) OVER () AS total, %s
        FROM agent.mail_contact c
       WHERE c.owner = $1
         AND ($2 = '' OR strpos(lower(c.name), lower($2)) > 0 OR strpos(lower(c.email), lower($2)) > 0)
         AND (cardinality($3::bigint[]) = 0
              OR EXISTS (SELECT FROM agent.mail_contact_tag g
                          WHERE g.contact_id = c.id AND g.tag_id = ANY ($3)))
       ORDER BY c.id
      OFFSET $4 LIMIT $5"""
          .formatted(TAG_IDS);

  private static final String COUNT_CONTACTS =
      """
      SELECT count(*) AS total
        FROM agent.mail_contact c
       WHERE c.owner = $1
         AND ($2 = '' OR strpos(lower(c.name), lower($2)) > 0 OR strpos(lower(c.email), lower($2)) > 0)
         AND (cardinality($3::bigint[]) = 0
              OR EXISTS (SELECT FROM agent.mail_contact_tag g
                          WHERE g.contact_id = c.id AND g.tag_id = ANY ($3)))""";

  private static final String FIND_CONTACT =
      "SELECT c.id, c.name, c.email, %s FROM agent.mail_contact c WHERE c.id = $1 AND c.owner = $2"
          .formatted(TAG_IDS);

  private static final String CREATE_CONTACT =
      """
      INSERT INTO agent.mail_contact (owner, name, email)
      SELECT $1, $2, $3 WHERE (SELECT count(*) FROM agent.mail_contact WHERE owner = $1) < $4
      RETURNING id""";

  private static final String CHANGE_CONTACT =
      "UPDATE agent.mail_contact SET name = $3, email = $4 WHERE id = $1 AND owner = $2 RETURNING id";

  private static final String DELETE_CONTACT =
      "DELETE FROM agent.mail_contact WHERE id = $1 AND owner = $2 RETURNING id";

  private static final String LEAVE_GROUPS =
      "DELETE FROM agent.mail_contact_tag WHERE contact_id = $1 AND tag_id <> ALL ($2)";

  // Groups of somebody else are none.
  private static final String JOIN_GROUPS =
      """
      WITH mine AS (
        SELECT id FROM agent.mail_tag WHERE id = ANY ($2) AND owner = $3
      ), joined AS (
        INSERT INTO agent.mail_contact_tag (contact_id, tag_id)
        SELECT $1, id FROM mine ON CONFLICT DO NOTHING)
      SELECT count(*)::int AS found FROM mine""";

  private final Pool pg;

  AddressBook(Pool pg) {
    this.pg = pg;
  }

  /** Some contacts out of all that fit. */
  record Found(List<Contact> contacts, long total) {}

  Uni<List<Tag>> tags(String owner) {
    return pg.preparedQuery(TAGS)
        .execute(Tuple.of(owner))
        .map(rows -> rows.stream().map(Tag::of).toList());
  }

  /** Refused when the owner has {@code most} of them. */
  Uni<Tag> createTag(String owner, String name, int most) {
    var created = pg.preparedQuery(CREATE_TAG).execute(Tuple.of(owner, name, most));
    return named(created, name).map(tag -> tag.orElseThrow(() -> MailProblems.tooMany(most)));
  }

  Uni<Tag> renameTag(String owner, long id, String name) {
    var renamed = pg.preparedQuery(RENAME_TAG).execute(Tuple.of(id, owner, name));
    return named(renamed, name).map(tag -> tag.orElseThrow(MailProblems::tagNotFound));
  }

  private static Uni<Optional<Tag>> named(Uni<RowSet<Row>> statement, String name) {
    return statement
        .map(rows -> rows.stream().findFirst().map(Tag::of))
        .onFailure(AddressBook::taken)
        .transform(taken -> MailProblems.tagExists(name));
  }

  private static boolean taken(Throwable failure) {
    return failure instanceof PgException refused && UNIQUE_VIOLATION.equals(refused.getSqlState());
  }

  Uni<Boolean> deleteTag(String owner, long id) {
    return pg.preparedQuery(DELETE_TAG).execute(Tuple.of(id, owner)).map(rows -> rows.size() > 0);
  }

  /**
   * Contacts whose name or address holds the text, in any of the groups.
   *
   * @param query empty for all
   * @param tagIds empty for all
   */
  Uni<Found> contacts(String owner, String query, Collection<Long> tagIds, int offset, int limit) {
    var groups = tagIds.toArray(Long[]::new);
    return pg.preparedQuery(CONTACTS)
        .execute(Tuple.of(owner, query, groups, offset, limit))
        .chain(
            rows ->
                rows.size() > 0 || offset == 0
                    ? Uni.createFrom().item(found(rows))
                    : count(owner, query, groups));
  }

  private static Found found(RowSet<Row> rows) {
    long total = rows.size() == 0 ? 0 : rows.iterator().next().getLong("total");
    return new Found(rows.stream().map(Contact::of).toList(), total);
  }

  private Uni<Found> count(String owner, String query, Long[] groups) {
    return pg.preparedQuery(COUNT_CONTACTS)
        .execute(Tuple.of(owner, query, groups))
        .map(rows -> new Found(List.of(), rows.iterator().next().getLong("total")));
  }

  Uni<Contact> contact(String owner, long id) {
    return pg.preparedQuery(FIND_CONTACT)
        .execute(Tuple.of(id, owner))
        .map(rows -> rows.stream().findFirst().map(Contact::of))
        .map(found -> found.orElseThrow(MailProblems::contactNotFound));
  }

  /** Refused when the owner has {@code most} of them. */
  Uni<Contact> createContact(String owner, Address who, Set<Long> tagIds, int most) {
    var create = Tuple.of(owner, who.name(), who.email(), most);
    return written(owner, who, tagIds, CREATE_CONTACT, create, () -> MailProblems.tooMany(most));
  }

  Uni<Contact> changeContact(String owner, long id, Address who, Set<Long> tagIds) {
    var change = Tuple.of(id, owner, who.name(), who.email());
    return written(owner, who, tagIds, CHANGE_CONTACT, change, MailProblems::contactNotFound);
  }

  private Uni<Contact> written(
      String owner,
      Address who,
      Set<Long> tagIds,
      String statement,
      Tuple values,
      Supplier<ProblemException> nothing) {
    return pg.withTransaction(
        connection ->
            connection
                .preparedQuery(statement)
                .execute(values)
                .map(rows -> rows.stream().findFirst().orElseThrow(nothing).getLong("id"))
                .chain(id -> grouped(connection, owner, who, tagIds, id)));
  }

  private static Uni<Contact> grouped(
      SqlConnection connection, String owner, Address who, Set<Long> tagIds, long id) {
    var groups = tagIds.toArray(Long[]::new);
    return connection
        .preparedQuery(LEAVE_GROUPS)
        .execute(Tuple.of(id, groups))
        .chain(left -> connection.preparedQuery(JOIN_GROUPS).execute(Tuple.of(id, groups, owner)))
        .invoke(joined -> refuseUnknown(joined.iterator().next().getInteger("found"), tagIds))
        .map(joined -> new Contact(id, who.name(), who.email(), tagIds.stream().sorted().toList()));
  }

  private static void refuseUnknown(int found, Set<Long> wanted) {
    if (found < wanted.size()) {
      throw MailProblems.invalid("tagIds", "ids of tags that there are");
    }
  }

  Uni<Boolean> deleteContact(String owner, long id) {
    return pg.preparedQuery(DELETE_CONTACT)
        .execute(Tuple.of(id, owner))
        .map(rows -> rows.size() > 0);
  }
}
