package io.fengyu.chat.story;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.emptyIterable;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;

import io.fengyu.contract.testing.PostgresResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.restassured.response.ValidatableResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
class ConversationTest {

  private static final String PATH = "/api/ai/conversations";

  @Test
  void aConversationIsStoredAsWrittenWithoutWhatItMayNotKeep() {
    var id =
        create(
            """
            {"title":"  Numbers  ","messages":[
              {"content":"你好","attachments":[{"name":"a.xlsx","kind":"file","path":"/secret"}]},
              {"role":"assistant","content":"Hi","thinking":"They greet"},
              {"role":"tool","content":"raw"}]}""");

    get(id)
        .statusCode(200)
        .body("id", equalTo(id))
        .body("title", equalTo("Numbers"))
        .body("messages.role", contains("user", "assistant", "user"))
        .body("messages[0].attachments[0].name", equalTo("a.xlsx"))
        .body("messages[0].attachments[0].path", nullValue())
        .body("messages[0].thinking", nullValue())
        .body("messages[1].thinking", equalTo("They greet"));
  }

  @Test
  void replacingLeavesNothingOfWhatWasBefore() {
    var id = create(messages("three", 3));

    put(id, messages("one", 1)).statusCode(200).body("messages", hasSize(1));
    get(id).body("title", equalTo("one")).body("messages", hasSize(1));

    put(id, "{\"title\":null}").statusCode(200);
    get(id).body("title", equalTo("")).body("messages", emptyIterable());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[]",
        "{\"title\":7}",
        "{\"messages\":{}}",
        "{\"messages\":[7]}",
        "{\"messages\":[{\"role\":\"user\"}]}",
        "{\"messages\":[{\"content\":[\"x\"]}]}",
        "{\"messages\":[{\"content\":\"a\\u0000b\"}]}",
        "{\"messages\":[{\"content\":\"x\",\"attachments\":\"y\"}]}",
        "{\"messages\":[{\"content\":\"x\",\"attachments\":[{\"name\":\"y\"}]}]}"
      })
  void whatIsNoConversationChangesNothing(String body) {
    var id = create(messages("before", 2));

    put(id, body).statusCode(400).body("code", equalTo("CONVERSATION_INVALID"));
    get(id).body("title", equalTo("before")).body("messages", hasSize(2));
  }

  @Test
  void twoThousandMessagesAreTakenAndOneMoreIsRefused() {
    var id = create(messages("full", 2000));

    get(id).body("messages", hasSize(2000));
    put(id, messages("more", 2001)).statusCode(400).body("code", equalTo("CONVERSATION_INVALID"));
    get(id).body("messages", hasSize(2000));
  }

  @Test
  void aLongTitleIsCutBetweenCharacters() {
    var id = create("{\"title\":\"" + "🎉".repeat(250) + "\"}");

    get(id).body("title", equalTo("🎉".repeat(200)));
  }

  @Test
  void ofManyWhoReadTheSameRevisionOneWrites() throws Exception {
    var id = create(messages("start", 1));
    var tag = get(id).extract().header("ETag");

    var writers = new ArrayList<Callable<Response>>();
    for (int i = 0; i < 10; i++) {
      var body = messages("writer " + i, 2);
      writers.add(() -> As.alice().header("If-Match", tag).body(body).put(PATH + "/" + id));
    }
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var codes = new ArrayList<Integer>();
      for (var answer : threads.invokeAll(writers)) {
        codes.add(answer.get().statusCode());
      }
      assertThat(codes).containsOnlyOnce(200).filteredOn(code -> code != 200).containsOnly(412);
    }
    As.alice()
        .header("If-Match", "*")
        .body(messages("any", 1))
        .put(PATH + "/" + id)
        .then()
        .statusCode(200);
    put(id, messages("last writer wins", 1)).statusCode(200);
  }

  @Test
  void theListIsReadPageByPageLatestChangeFirst() {
    var mark = "mark-" + java.util.UUID.randomUUID();
    var ids = new ArrayList<String>();
    for (int i = 0; i < 5; i++) {
      ids.add(create("{\"title\":\"" + mark + " " + i + "\"}"));
    }
    put(ids.getFirst(), "{\"title\":\"" + mark + " again\"}").statusCode(200);

    var first = list("?limit=3&query=" + mark);
    var rest =
        list("?limit=3&query=" + mark + "&cursor=" + first.extract().header("X-Next-Cursor"));

    var seen = new ArrayList<String>(first.extract().path("id"));
    seen.addAll(rest.extract().path("id"));
    assertThat(seen).isEqualTo(List.of(ids.get(0), ids.get(4), ids.get(3), ids.get(2), ids.get(1)));
    assertThat(first.extract().header("Link")).contains("cursor=").contains("rel=\"next\"");
    assertThat(rest.extract().header("X-Next-Cursor")).isNull();
    As.alice().get(PATH + "?cursor=nonsense").then().statusCode(400);
    As.alice().get(PATH + "?limit=501").then().statusCode(400);
  }

  @Test
  void aSearchFindsWordsInTitlesAndMessagesOfItsOwnerOnly() {
    var mark = java.util.UUID.randomUUID().toString();
    var titled = create("{\"title\":\"About " + mark.toUpperCase(java.util.Locale.ROOT) + "\"}");
    var said = create("{\"messages\":[{\"content\":\"it is " + mark + "!\"}]}");

    list("?query=" + mark).body("id", contains(said, titled));
    As.token(PostgresResource.BOB_TOKEN).get(PATH + "?query=" + mark).then().body("$", hasSize(0));
  }

  @Test
  void nobodyElseReadsChangesOrDeletesIt() {
    var id = create(messages("mine", 1));
    var bob = PostgresResource.BOB_TOKEN;

    As.token(bob).get(PATH + "/" + id).then().statusCode(404);
    As.token(bob).body(messages("his", 1)).put(PATH + "/" + id).then().statusCode(404);
    As.token(bob).delete(PATH + "/" + id).then().statusCode(404);
    As.token(bob).get(PATH).then().body("id", not(hasItem(id)));
    get(id).body("title", equalTo("mine"));
  }

  @Test
  void whatIsDeletedIsGone() {
    var id = create(messages("gone", 2));

    As.alice().delete(PATH + "/" + id).then().statusCode(204);
    get(id).statusCode(404).body("code", equalTo("CONVERSATION_NOT_FOUND"));
    As.alice().delete(PATH + "/" + id).then().statusCode(404);
    put(id, messages("back", 1)).statusCode(404);
  }

  private static String create(String body) {
    return As.alice().body(body).post(PATH).then().statusCode(200).extract().path("id");
  }

  private static ValidatableResponse get(String id) {
    return As.alice().get(PATH + "/" + id).then();
  }

  private static ValidatableResponse put(String id, String body) {
    return As.alice().body(body).put(PATH + "/" + id).then();
  }

  private static ValidatableResponse list(String query) {
    return As.alice().get(PATH + query).then().statusCode(200);
  }

  private static String messages(String title, int number) {
    return IntStream.range(0, number)
        .mapToObj(i -> "{\"role\":\"user\",\"content\":\"message " + i + "\"}")
        .collect(Collectors.joining(",", "{\"title\":\"" + title + "\",\"messages\":[", "]}"));
  }
}
