package io.fengyu.agent.tool.mail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fengyu.testing.smtp.ReceivedMail;
import io.fengyu.testing.smtp.SmtpServer;
import io.fengyu.testing.smtp.SmtpServer.Ending;
import io.fengyu.testing.smtp.SmtpServer.Greeting;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
class SendStoryTest {

  private static final Duration SOON = Duration.ofSeconds(60);

  @Inject Pool pool;

  private final SmtpServer server = SmtpServer.start();
  private final MailClient alice = MailClient.alice();

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void nothingIsSentBeforeTheConfirmationAndEverythingOnceAfterIt() {
    var id = twoGroups();

    assertThat(server.received()).isEmpty();
    assertThat(alice.status(id).path("status").asText()).isEqualTo("PENDING");
    var first = alice.confirm(id);
    var second = alice.confirm(id);

    assertThat(first.success()).as(first.text()).isTrue();
    assertThat(first.send().path("status").asText()).isEqualTo("COMPLETED");
    assertThat(first.send().path("succeeded").asInt()).isEqualTo(2);
    assertThat(second.send()).isEqualTo(first.send());
    assertThat(server.received()).hasSize(2);
    assertThat(server.received().get(0).recipients())
        .containsExactlyInAnyOrder("e1@x.example", "e2@x.example");
    assertThat(server.received().get(0).data()).contains("East.txt").doesNotContain("West.txt");
    assertThat(server.received().get(1).recipients()).containsExactly("w1@x.example");
    assertThat(server.received().get(1).data()).contains("West.txt").doesNotContain("East.txt");
    assertThat(server.received())
        .extracting(mail -> mail.header("Message-ID"))
        .doesNotHaveDuplicates();
    assertThat(server.received().getFirst().header("Message-ID")).contains(id);
  }

  @Test
  void aPreparedSendingTellsPeopleWhatItWouldDo() {
    var prepared = prepareTwoGroups();

    assertThat(prepared.json().path("confirmation_required").asBoolean()).isTrue();
    var confirmation = prepared.json().path("confirmation");
    assertThat(confirmation.path("pluginId").asText()).isEqualTo("fan.summer.email");
    assertThat(confirmation.path("approveMethod").asText()).isEqualTo("confirm_send");
    assertThat(confirmation.path("rejectMethod").asText()).isEqualTo("reject_send");
    assertThat(confirmation.path("expiresAt").asText()).matches(".*T.*\\.[0-9]{3}Z");
    assertThat(confirmation.path("summary").findValuesAsText("value"))
        .contains("报表 Robot <robot@x.example>", "East.txt", "e1 <e1@x.example>, e2 <e2@x.example>");
  }

  @Test
  void confirmationsThatComeTogetherSendOnce() throws Exception {
    var id = single("'to':['a@x.example']");

    var replies = together(12, () -> alice.confirm(id));

    assertThat(server.received()).hasSize(1);
    assertThat(replies).filteredOn(MailClient.Called::success).isNotEmpty();
    assertThat(alice.status(id).path("status").asText()).isEqualTo("COMPLETED");
  }

  @Test
  void anAttachmentThatChangedKeepsAllMailsBack() {
    var id = twoGroups();
    alice.call("read_file", "{'path':'parts/West.txt'}");
    alice.write("parts/West.txt", "Something else");

    var confirmed = alice.confirm(id);

    assertThat(confirmed.success()).isFalse();
    assertThat(confirmed.text()).contains("West.txt").contains("changed");
    assertThat(server.received()).isEmpty();
    assertThat(alice.status(id).path("status").asText()).isEqualTo("FAILED");
    assertThat(alice.status(id).path("failedRecipients")).hasSize(3);
  }

  @Test
  void whatWasRejectedOrExpiredOrIsSomebodyElsesIsNotSent() {
    var rejected = single("'to':['a@x.example']");
    assertThat(alice.call("reject_send", "{'confirmationId':'" + rejected + "'}").success())
        .isTrue();
    assertThat(alice.confirm(rejected).text()).contains("rejected");

    var expired = single("'to':['a@x.example']");
    sql("UPDATE agent.mail_send SET expires_at = now() WHERE id = $1", expired);
    assertThat(alice.confirm(expired).text()).contains("not confirmed in time");
    assertThat(alice.status(expired).path("status").asText()).isEqualTo("EXPIRED");

    var foreign = single("'to':['a@x.example']");
    var bob = MailClient.bob();
    assertThat(bob.confirm(foreign).text()).contains("there is no prepared sending");
    assertThat(bob.call("reject_send", "{'confirmationId':'" + foreign + "'}").text())
        .contains("there is no prepared sending");
    assertThat(alice.confirm("nonsense").text()).contains("there is no prepared sending");
    assertThat(server.received()).isEmpty();
    assertThat(alice.confirm(foreign).success()).isTrue();
  }

  @Test
  void anAccountThatIsGoneTakesWhatWasPreparedAlong() {
    var account = alice.account(server.port());
    var id = single(account, "'to':['a@x.example']");

    alice.send("DELETE", "/api/mail/accounts/" + account, "").statusCode(204);

    assertThat(alice.confirm(id).success()).isFalse();
    assertThat(alice.status(id).path("status").asText()).isEqualTo("REJECTED");
    assertThat(server.received()).isEmpty();
  }

  @Test
  void recipientsThatWereRefusedAreNamed() {
    server.refusing("bad@x.example");
    var id = single("'to':['a@x.example','bad@x.example'],'bcc':'c@x.example'");

    var confirmed = alice.confirm(id);

    assertThat(confirmed.success()).isTrue();
    assertThat(confirmed.send().path("status").asText()).isEqualTo("PARTIAL_FAILED");
    assertThat(confirmed.send().path("failedRecipients").toString())
        .isEqualTo("[\"bad@x.example\"]");
    assertThat(server.received().getFirst().recipients())
        .containsExactly("a@x.example", "c@x.example");
  }

  @Test
  void aServerThatDiesAfterTheMailLeavesItUnknownForGood() {
    server.ending(Ending.TAKE_AND_DIE);
    var id = single("'to':['a@x.example']");

    var first = alice.confirm(id);
    server.ending(Ending.TAKE);
    var second = alice.confirm(id);

    assertThat(first.success()).isFalse();
    assertThat(first.text()).contains("unknown fate, not sent again");
    assertThat(second.text()).isEqualTo(first.text());
    assertThat(server.received()).hasSize(1);
    var status = alice.status(id);
    assertThat(status.path("status").asText()).isEqualTo("UNKNOWN");
    assertThat(status.path("unknownRecipients").toString()).isEqualTo("[\"a@x.example\"]");
    assertThat(status.at("/messages/0/state").asText()).isEqualTo("unknown");
  }

  @Test
  void aServerThatIsNotThereFailsEverythingAndSendsNothing() {
    server.greeting(Greeting.BUSY);
    var id = twoGroups();

    var confirmed = alice.confirm(id);

    assertThat(confirmed.success()).isFalse();
    assertThat(confirmed.text()).contains("not reached: e1@x.example, e2@x.example, w1@x.example");
    assertThat(alice.status(id).path("status").asText()).isEqualTo("FAILED");
  }

  @Test
  void aRunWaitsForAPersonInEveryModeThatAsks() {
    for (var mode : List.of("ask-for-approval", "approve-for-me")) {
      var id = single("'to':['a@x.example']");
      int before = server.received().size();

      var run = alice.start(mode, "confirm_send", "{'confirmationId':'" + id + "'}");
      alice.awaits(run, "AWAITING_STEP_APPROVAL");
      assertThat(server.received()).hasSize(before);
      alice.send("POST", "/api/agent/" + run + "/approve", "").statusCode(200);
      alice.awaits(run, "COMPLETED");

      assertThat(server.received()).hasSize(before + 1);
      assertThat(alice.call(mode, "reject_send", "{'confirmationId':'" + id + "'}").code())
          .isEqualTo("APPROVAL_REQUIRED");
    }
  }

  @Test
  void aStoppedRunBeginsNoOtherMail() {
    server.ending(Ending.HOLD);
    var id = twoGroups();
    var run = alice.start("full-access", "confirm_send", "{'confirmationId':'" + id + "'}");
    await().atMost(SOON).until(() -> server.received().size() == 1);

    alice.send("POST", "/api/agent/" + run + "/cancel", "").statusCode(200);
    server.release();

    alice.awaits(run, "CANCELLED");
    var status =
        await()
            .atMost(SOON)
            .until(() -> alice.status(id), s -> !s.path("status").asText().equals("SENDING"));
    assertThat(server.received()).hasSize(1);
    assertThat(status.path("status").asText()).isEqualTo("PARTIAL_FAILED");
    assertThat(status.at("/messages/0/state").asText()).isEqualTo("accepted");
    assertThat(status.at("/messages/1/state").asText()).isEqualTo("stopped");
    assertThat(alice.confirm(id).text()).contains("w1@x.example");
    assertThat(server.received()).hasSize(1);
  }

  @Test
  void whatADeadProcessHadBegunIsUnknownAndOnlyTheRestCanBeSent() {
    var id = twoGroups();
    sql(
        "UPDATE agent.mail_send SET state = 'sending', claim = gen_random_uuid(),"
            + " holder = gen_random_uuid() WHERE id = $1",
        id);
    sql("UPDATE agent.mail_message SET state = 'intended' WHERE send_id = $1 AND n = 1", id);

    var before = alice.status(id);
    var confirmed = alice.confirm(id);

    assertThat(before.path("status").asText()).isEqualTo("INTERRUPTED");
    assertThat(before.at("/messages/0/state").asText()).isEqualTo("unknown");
    assertThat(before.at("/messages/1/state").asText()).isEqualTo("prepared");
    assertThat(confirmed.success()).isFalse();
    assertThat(confirmed.text()).contains("unknown fate, not sent again");
    assertThat(server.received())
        .extracting(ReceivedMail::recipients)
        .containsExactly(List.of("w1@x.example"));
    assertThat(alice.status(id).path("status").asText()).isEqualTo("UNKNOWN");
  }

  @Test
  void whatALivingProcessIsAtIsLeftToIt() {
    var id = single("'to':['a@x.example']");
    sql(
        "UPDATE agent.mail_send SET state = 'sending', claim = gen_random_uuid(),"
            + " holder = $2 WHERE id = $1",
        id,
        living());

    var confirmed = alice.confirm(id);

    assertThat(confirmed.success()).isFalse();
    assertThat(confirmed.text()).contains("under way in another call");
    assertThat(server.received()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'to':'a@x.example','subject':'Hi\\r\\nBcc: evil@x.example'",
        "'to':'a@x.example','subject':'Hi\\u2028Bcc: evil@x.example'",
        "'to':['a@x.example\\r\\nBcc: evil@x.example']",
        "'to':'a@x.example','cc':['X\\r\\nY <b@x.example>']",
        "'to':'a@x.example','bcc':'a@x.example>\\r\\nDATA'",
        "'to':['Name\\r\\nBcc: evil@x.example <a@x.example>']",
        "'to':'a@x.example','plainText':'a\\u0000b'"
      })
  void nothingThatIsWrittenBecomesAnotherHeader(String arg) {
    var refused = prepare(alice.account(server.port()), arg);

    assertThat(refused.success()).isFalse();
    assertThat(refused.text()).contains("argument '");
  }

  @Test
  void aTextMayHoldAnything() {
    var id = single("'to':['a@x.example'],'plainText':'one\\n.\\r\\nQUIT\\n..\\nBcc: x'");

    assertThat(alice.confirm(id).success()).isTrue();

    assertThat(server.received()).hasSize(1);
    assertThat(server.received().getFirst().data()).contains("\none\n.\nQUIT\n..\nBcc: x");
  }

  @Test
  void filesOutsideOfTheCallersPlacesAreNotSent() {
    var account = alice.account(server.port());

    assertThat(prepare(account, "'to':['a@x.example'],'attachments':['/etc/passwd']").text())
        .contains("outside of what this run may touch");
    assertThat(prepare(account, "'to':['a@x.example'],'attachments':['../../x']").success())
        .isFalse();
    assertThat(
            alice
                .call(
                    "email_send_batch",
                    "{'accountId':%d,'recipientGroupTagIds':[%d],'inputDirectory':'/etc'}"
                        .formatted(account, alice.add("tags", "{'name':'" + fresh() + "'}")))
                .text())
        .contains("outside of what this run may touch");
  }

  @Test
  void aBatchWithoutAnythingToSendSaysWhy() {
    var account = alice.account(server.port());
    var tag = alice.add("tags", "{'name':'" + fresh() + "'}");
    alice.write("parts/Nobody.txt", "x");

    var refused =
        alice.call(
            "email_send_batch",
            "{'accountId':%d,'recipientGroupTagIds':[%d],'inputDirectory':'parts'}"
                .formatted(account, tag));

    assertThat(refused.success()).isFalse();
    assertThat(refused.text()).contains("there is no file for any contact").contains("Nobody.txt");
  }

  /** Two mails, to two and to one. */
  private String twoGroups() {
    var prepared = prepareTwoGroups();
    assertThat(prepared.success()).as(prepared.text()).isTrue();
    return prepared.confirmationId();
  }

  private MailClient.Called prepareTwoGroups() {
    var all = alice.add("tags", "{'name':'" + fresh() + "'}");
    var east = group("East");
    var west = group("West");
    contact("e1", east, all);
    contact("e2", east, all);
    contact("w1", west, all);
    alice.write("parts/East.txt", "east");
    alice.write("parts/West.txt", "west");
    return alice.call(
        "email_send_batch",
        ("{'accountId':%d,'recipientGroupTagIds':[%d],'ccGroupTagIds':[],'inputDirectory':'parts',"
                + "'subject':'Parts','plainText':'Your part'}")
            .formatted(alice.account(server.port()), all));
  }

  /** The group of that name, which tests share. */
  private long group(String name) {
    var ids =
        alice
            .send("GET", "/api/mail/tags", "")
            .extract()
            .jsonPath()
            .getList("findAll { it.name == '" + name + "' }.id", Long.class);
    return ids.isEmpty() ? alice.add("tags", "{'name':'" + name + "'}") : ids.getFirst();
  }

  private void contact(String name, long... tags) {
    alice.add(
        "contacts",
        "{'name':'%s','email':'%s@x.example','tagIds':[%d,%d]}"
            .formatted(name, name, tags[0], tags[1]));
  }

  private String single(String args) {
    return single(alice.account(server.port()), args);
  }

  private String single(long account, String args) {
    var prepared = prepare(account, args);
    assertThat(prepared.success()).as(prepared.text()).isTrue();
    return prepared.confirmationId();
  }

  private MailClient.Called prepare(long account, String args) {
    return alice.call("email_send_single", "{'accountId':" + account + "," + args + "}");
  }

  private UUID living() {
    return pool.query(
            "INSERT INTO platform.instances (id, service, address) VALUES"
                + " (gen_random_uuid(), 'somebody-else', 'here') RETURNING id")
        .execute()
        .await()
        .atMost(SOON)
        .iterator()
        .next()
        .getUUID("id");
  }

  private void sql(String statement, String id, Object... more) {
    var values = new ArrayList<Object>();
    values.add(UUID.fromString(id));
    values.addAll(List.of(more));
    pool.preparedQuery(statement).execute(Tuple.tuple(values)).await().atMost(SOON);
  }

  private static String fresh() {
    return "t" + UUID.randomUUID().toString().substring(0, 8);
  }

  private static <T> List<T> together(int times, Callable<T> call) throws Exception {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var all = IntStream.range(0, times).mapToObj(i -> threads.submit(call)).toList();
      var results = new ArrayList<T>();
      for (var each : all) {
        results.add(each.get());
      }
      return results;
    }
  }
}
