package io.fengyu.agent.tool.mail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.not;

import io.fengyu.testing.smtp.SmtpServer;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@QuarkusTest
class MailDataTest {

  @Inject Pool pool;

  private final MailClient alice = MailClient.alice();
  private final MailClient bob = MailClient.bob();

  @Test
  void aPasswordIsStoredSealedAndNeverReturned() {
    var id = alice.add("accounts", account("'username':'me','password':'canary-mail-secret'"));

    var told = alice.send("GET", "/api/mail/accounts", "").extract().asString();
    assertThat(told).contains("\"passwordConfigured\":true").doesNotContain("canary-mail-secret");
    assertThat(alice.call("email_accounts_list", "{}").text())
        .contains("\"passwordConfigured\":true")
        .doesNotContain("canary-mail-secret");
    assertThat(sealed(id)).startsWith("v1.").doesNotContain("canary");
  }

  @Test
  void aPasswordStaysWhenItIsLeftOutAndGoesWhenTheHostDoes() {
    var id = alice.add("accounts", account("'username':'me','password':'secret-one'"));

    alice
        .send("PUT", "/api/mail/accounts/" + id, "{'displayName':'Renamed','port':2525}")
        .statusCode(200)
        .body("displayName", equalTo("Renamed"))
        .body("port", equalTo(2525))
        .body("host", equalTo("mail.x.example"))
        .body("passwordConfigured", equalTo(true));
    alice
        .send("PUT", "/api/mail/accounts/" + id, "{'host':'mail.evil.example'}")
        .statusCode(200)
        .body("passwordConfigured", equalTo(false));
    alice
        .send("PUT", "/api/mail/accounts/" + id, "{'password':'secret-two'}")
        .statusCode(200)
        .body("passwordConfigured", equalTo(true));
    alice
        .send("PUT", "/api/mail/accounts/" + id, "{'password':''}")
        .statusCode(200)
        .body("passwordConfigured", equalTo(false));
  }

  @Test
  void whatIsSomebodyElsesIsNotThere() {
    var account = alice.add("accounts", account("'password':'x'"));
    var tag = alice.add("tags", "{'name':'" + fresh() + "'}");
    var contact =
        alice.add("contacts", "{'name':'A','email':'a@x.example','tagIds':[" + tag + "]}");

    for (var path : new String[] {"accounts/" + account, "tags/" + tag, "contacts/" + contact}) {
      bob.send("PUT", "/api/mail/" + path, "{'name':'n','email':'b@x.example','host':'h.example'}")
          .statusCode(404);
      bob.send("DELETE", "/api/mail/" + path, "").statusCode(404);
    }
    bob.send("POST", "/api/mail/accounts/" + account + "/test", "").statusCode(404);
    bob.send(
            "POST",
            "/api/mail/contacts",
            "{'name':'B','email':'b@x.example','tagIds':[" + tag + "]}")
        .statusCode(400)
        .body("code", equalTo("MAIL_INVALID"));
    bob.send("GET", "/api/mail/contacts?query=a@x", "").body("id", not(hasItem((int) contact)));
    assertThat(
            bob.call("email_send_single", "{'accountId':" + account + ",'to':['b@x.example']}")
                .text())
        .contains("there is no mail account");
  }

  @Test
  void tagsHaveNamesOfTheirOwn() {
    var name = fresh();
    var tag = alice.add("tags", "{'name':'" + name + "'}");

    alice
        .send(
            "POST", "/api/mail/tags", "{'name':'" + name.toUpperCase(java.util.Locale.ROOT) + "'}")
        .statusCode(409)
        .body("code", equalTo("MAIL_TAG_EXISTS"));
    bob.add("tags", "{'name':'" + name + "'}");
    var other = alice.add("tags", "{'name':'" + fresh() + "'}");
    alice.send("PUT", "/api/mail/tags/" + other, "{'name':'" + name + "'}").statusCode(409);
    alice.send("PUT", "/api/mail/tags/" + tag, "{'name':'" + name + " 2'}").statusCode(200);
    assertThat(alice.call("email_tags_list", "{}").json().path("tags").findValuesAsText("name"))
        .contains(name + " 2");
  }

  @Test
  void aDeletedTagLeavesItsContactsAndADeletedContactItsTags() {
    var one = alice.add("tags", "{'name':'" + fresh() + "'}");
    var two = alice.add("tags", "{'name':'" + fresh() + "'}");
    var name = fresh();
    var contact =
        alice.add(
            "contacts",
            "{'name':'%s','email':'c@x.example','tagIds':[%d,%d]}".formatted(name, one, two));

    alice.send("DELETE", "/api/mail/tags/" + one, "").statusCode(204);

    alice
        .send("GET", "/api/mail/contacts?query=" + name, "")
        .body("", hasSize(1))
        .body("[0].tagIds", contains((int) two));
    alice
        .send("PUT", "/api/mail/contacts/" + contact, "{'email':'d@例子.example'}")
        .statusCode(200)
        .body("email", equalTo("d@xn--fsqu00a.example"))
        .body("tagIds", contains((int) two));
    alice.send("DELETE", "/api/mail/contacts/" + contact, "").statusCode(204);
    alice.send("DELETE", "/api/mail/contacts/" + contact, "").statusCode(404);
    alice.send("GET", "/api/mail/contacts?tagId=" + two, "").body("", hasSize(0));
  }

  @Test
  void contactsAreFoundByPartAndGroup() {
    var tag = alice.add("tags", "{'name':'" + fresh() + "'}");
    var word = fresh();
    for (int i = 0; i < 5; i++) {
      alice.add(
          "contacts",
          "{'name':'%s %d','email':'u%d@x.example','tagIds':[%s]}"
              .formatted(word, i, i, i < 3 ? tag : ""));
    }

    var found =
        alice
            .call(
                "email_contacts_query",
                "{'query':'%s','tagIds':[%d],'offset':1,'limit':1}".formatted(word, tag))
            .json();

    assertThat(found.path("total").asInt()).isEqualTo(3);
    assertThat(found.path("contacts")).hasSize(1);
    assertThat(found.at("/contacts/0/name").asText()).isEqualTo(word + " 1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "accounts | {'email':'a@x.example','host':'h'} | port",
        "accounts | {'email':'a@x.example\\r\\nBcc: b@x.example','host':'h'} | email",
        "accounts | {'email':'nobody','host':'h'} | email",
        "accounts | {'email':'a@x.example'} | host",
        "accounts | {'email':'a@x.example','host':'a b'} | host",
        "accounts | {'email':'a@x.example','host':'h','port':0} | port",
        "accounts | {'email':'a@x.example','host':'h','port':'25'} | port",
        "accounts | {'email':'a@x.example','host':'h','security':'ssl'} | security",
        "accounts | {'email':'a@x.example','host':'h','displayName':'a\\nb'} | displayName",
        "accounts | {'email':'a@x.example','host':'h','password':'a\\u0000b'} | password",
        "tags | {} | name",
        "tags | {'name':' '} | name",
        "tags | {'name':'a\\u2028b'} | name",
        "contacts | {'name':'x'} | email",
        "contacts | {'email':'a@x.example','tagIds':'7'} | tagIds",
        "contacts | {'email':'a@x.example','tagIds':[0]} | tagIds"
      })
  void whatCannotBeUsedIsRefusedByName(String kind, String body, String field) {
    var refused = alice.send("POST", "/api/mail/" + kind, body);

    if (!field.equals("port") || body.contains("port")) {
      refused
          .statusCode(400)
          .body("code", equalTo("MAIL_INVALID"))
          .body("params.field", equalTo(field));
    } else {
      refused.statusCode(201).body("port", equalTo(587)).body("security", equalTo("starttls"));
    }
  }

  @Test
  void serversThatNobodyMayCallAreRefused() {
    alice
        .send("POST", "/api/mail/accounts", "{'email':'a@x.example','host':'169.254.169.254'}")
        .statusCode(400)
        .body("code", equalTo("MAIL_ADDRESS_REFUSED"));
  }

  @Test
  void aTestOfAnAccountLogsInAndSendsNothing() {
    try (var server = SmtpServer.start()) {
      server.login("me", "right");
      var id =
          alice.add(
              "accounts",
              ("{'email':'a@x.example','host':'localhost','port':%d,'security':'none',"
                      + "'username':'me','password':'right'}")
                  .formatted(server.port()));

      var path = "/api/mail/accounts/" + id;
      alice.send("POST", path + "/test", "").statusCode(200).body("ok", equalTo(true));
      alice.send("PUT", path, "{'password':'wrong-password'}").statusCode(200);
      var told = alice.send("POST", path + "/test", "").statusCode(200).body("ok", equalTo(false));

      assertThat(told.extract().<String>path("error"))
          .contains("does not accept the login")
          .doesNotContain("wrong-password");
      assertThat(server.received()).isEmpty();
    }
  }

  private String sealed(long id) {
    return pool.preparedQuery("SELECT sealed FROM agent.mail_account WHERE id = $1")
        .execute(Tuple.of(id))
        .await()
        .atMost(Duration.ofSeconds(10))
        .iterator()
        .next()
        .getString(0);
  }

  private static String fresh() {
    return "t" + UUID.randomUUID().toString().substring(0, 8);
  }

  private static String account(String more) {
    return "{'displayName':'Me','email':'me@x.example','host':'mail.x.example',"
        + "'security':'starttls',"
        + more
        + "}";
  }
}
