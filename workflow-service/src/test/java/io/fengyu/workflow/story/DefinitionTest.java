package io.fengyu.workflow.story;

import static io.fengyu.workflow.story.Owner.ALICE;
import static io.fengyu.workflow.story.Owner.BOB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;

import com.fasterxml.jackson.databind.JsonNode;
import io.quarkus.test.junit.QuarkusTest;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

@QuarkusTest
class DefinitionTest {

  private static final String ODD =
      """
      { "name" : "  Order report ", "description":"Formats one order",
        "inputSchema": { "type": "object", "properties": { "orderId": { "type": "integer" } },
          "required": ["orderId"], "x-odd": 1.0 },
        "plan": { "goal": "Report order {{inputs.orderId}}", "reasoning": "saved canvas",
          "steps": [ { "index": 0, "toolName": "json_format", "args": { "n": 1.50, "big": 1e400 },
                       "dependsOn": [], "vendorField": {"b":1,"a":2} } ], "later": [1e2] },
        "layout": { "0": { "x": 60.0, "y": 120 } },
        "graph": { "nodes": [ { "id":"note_1", "type":"note", "position":{"x":-0,"y":3.10},
            "data":{"content":"check \\u00e9 \\ud83d\\ude00","color":"yellow","z":9,"a":1e400} } ],
          "edges": [ ], "odd": 1, "odd": 2, "viewport": {"zoom":12345678901234567890.123} } }""";

  @Test
  void aNewWorkflowIsAnUnpublishedDraftAtRevisionOne() {
    ALICE
        .post("/api/workflows", Drafts.named("  First  "))
        .then()
        .statusCode(200)
        .body("id", matchesPattern("[A-Za-z0-9_]+"))
        .body("name", equalTo("First"))
        .body("description", equalTo(""))
        .body("inputSchema.type", equalTo("object"))
        .body("inputSchema.properties", equalTo(java.util.Map.of()))
        .body("layout", equalTo(java.util.Map.of()))
        .body("graph", equalTo(java.util.Map.of()))
        .body("published", equalTo(false))
        .body("revision", equalTo(1))
        .body("publishedRevision", nullValue())
        .body("hasUnpublishedChanges", equalTo(false))
        .body("createdAt", matchesPattern("\\d{4}-.*Z"))
        .body("updatedAt", matchesPattern("\\d{4}-.*Z"));
  }

  @Test
  void documentsComeBackCharacterByCharacter() {
    var id = ALICE.created(ODD);

    var body = ALICE.get("/api/workflows/" + id).asString();

    for (var document : List.of("inputSchema", "plan", "layout", "graph")) {
      assertThat(body).contains(sliceOf(ODD, document));
    }
  }

  @Test
  void aSaveReplacesTheDraftAndCountsUp() {
    var id = ALICE.created(Drafts.named("Before"));

    ALICE
        .put("/api/workflows/" + id, Drafts.named("After", "Other"))
        .then()
        .statusCode(200)
        .body("revision", equalTo(2))
        .body("name", equalTo("After"))
        .body("plan.goal", equalTo("Other"));

    assertThat(ALICE.definition(id).path("name").textValue()).isEqualTo("After");
  }

  @Test
  void theListShowsTheLastChangedFirstAndNobodyElses() {
    var older = BOB.created(Drafts.named("Older"));
    var newer = BOB.created(Drafts.named("Newer"));
    BOB.put("/api/workflows/" + older, Drafts.named("Older, touched")).then().statusCode(200);

    var ids = BOB.get("/api/workflows").then().statusCode(200).extract().<List<String>>path("id");

    assertThat(ids.indexOf(older)).isLessThan(ids.indexOf(newer));
    ALICE.get("/api/workflows").then().body("id", not(hasItem(older)));
  }

  @Test
  void pagesOfAListFollowEachOtherWithoutGapOrRepeat() {
    var created =
        IntStream.range(0, 7).mapToObj(i -> ALICE.created(Drafts.named("Paged " + i))).toList();

    var seen = new ArrayList<String>();
    var next = "/api/workflows?limit=3";
    while (next != null) {
      var page = ALICE.get(next);
      var ids = page.then().statusCode(200).extract().<List<String>>path("id");
      assertThat(ids).hasSizeLessThanOrEqualTo(3);
      seen.addAll(ids);
      var link = page.header("Link");
      next = link == null ? null : link.substring(1, link.indexOf('>'));
    }

    assertThat(seen).doesNotHaveDuplicates().containsAll(created);
    assertThat(seen.subList(0, 7)).containsExactlyElementsOf(created.reversed());
  }

  @Test
  void aSummaryLeavesTheDocumentsOut() {
    var id = ALICE.created(Drafts.named("Short"));

    var first = Owner.json(ALICE.get("/api/workflows?view=summary&limit=1")).get(0);

    assertThat(first.path("id").textValue()).isEqualTo(id);
    assertThat(first.path("stepCount").intValue()).isEqualTo(1);
    assertThat(first.has("plan")).isFalse();
  }

  @Test
  void aListThatCannotBeReadAsAskedIsRefused() {
    for (var query : List.of("limit=0", "limit=x", "cursor=%25", "cursor=AAAA", "view=odd")) {
      ALICE
          .get("/api/workflows?" + query)
          .then()
          .statusCode(400)
          .body("code", equalTo("INVALID_REQUEST"));
    }
  }

  @Test
  void aPageStaysSmallHoweverLargeItsDefinitionsAre() {
    var pin = "p".repeat(60_000);
    var steps = new StringBuilder("[");
    for (int i = 0; i < 20; i++) {
      steps
          .append(i == 0 ? "" : ",")
          .append("{\"toolName\":\"t\",\"pinnedResult\":\"")
          .append(pin)
          .append("\"}");
    }
    var draft = Drafts.of(steps.append("]").toString(), "{}");
    for (int i = 0; i < 5; i++) {
      ALICE.created(draft);
    }

    var page = ALICE.get("/api/workflows?limit=5");

    page.then().statusCode(200).body("size()", equalTo(3));
    assertThat(page.header("X-Next-Cursor")).isNotNull();
  }

  @Test
  void aCopyIsANewUnpublishedDraftWithTheSameContent() {
    var id = ALICE.created(ODD);
    ALICE.post("/api/workflows/" + id + "/publish").then().statusCode(200);

    var copy = Owner.json(ALICE.post("/api/workflows/" + id + "/duplicate"));

    var original = ALICE.definition(id);
    assertThat(copy.path("id")).isNotEqualTo(original.path("id"));
    assertThat(copy.path("name").textValue()).isEqualTo("Order report (copy)");
    assertThat(copy.path("revision").intValue()).isEqualTo(1);
    assertThat(copy.path("published").booleanValue()).isFalse();
    for (var document : List.of("description", "inputSchema", "plan", "layout", "graph")) {
      assertThat(copy.path(document)).isEqualTo(original.path(document));
    }
  }

  @Test
  void aCopyMayBeGivenANameAndALongOneIsCut() {
    var id = ALICE.created(Drafts.named("n".repeat(158)));

    ALICE
        .post("/api/workflows/" + id + "/duplicate", "{\"name\":\" Mine \"}")
        .then()
        .statusCode(200)
        .body("name", equalTo("Mine"));
    ALICE
        .post("/api/workflows/" + id + "/duplicate", "{}")
        .then()
        .body("name", equalTo("n".repeat(158) + " ("));
    ALICE
        .post("/api/workflows/" + id + "/duplicate", "{\"name\":\"  \"}")
        .then()
        .statusCode(400)
        .body("code", equalTo("WORKFLOW_NAME_REQUIRED"));
  }

  @Test
  void aForeignIdAnswersLikeAnUnknownOneEverywhere() {
    var id = ALICE.created(Drafts.named("Private"));
    ALICE.post("/api/workflows/" + id + "/publish").then().statusCode(200);
    var before = ALICE.definition(id);

    for (var there : List.of(id, "0f8c2d6f1b7e4f0c9a51c0d2e3f4a5b6", "no-word", "%00")) {
      var path = "/api/workflows/" + there;
      var answers =
          List.of(
              BOB.get(path),
              BOB.put(path, Drafts.named("Mine now")),
              BOB.delete(path),
              BOB.post(path + "/duplicate"),
              BOB.get(path + "/canvas"),
              BOB.post(path + "/publish"),
              BOB.get(path + "/revisions"),
              BOB.get(path + "/revisions/2"),
              BOB.post(path + "/revisions/2/restore", "{}"));
      for (var answer : answers) {
        answer.then().statusCode(404).body("code", equalTo("WORKFLOW_NOT_FOUND"));
      }
    }

    assertThat(ALICE.definition(id)).isEqualTo(before);
  }

  @Test
  void withoutATokenNothingIsSaid() {
    io.restassured.RestAssured.given()
        .get("/api/workflows")
        .then()
        .statusCode(401)
        .body("code", equalTo("UNAUTHENTICATED"));
  }

  @Test
  void aWorkflowSavedWithoutAGraphOpensOnACanvas() {
    var id =
        ALICE.created(
            Drafts.of(
                """
                [{"index":0,"toolName":"json_format","args":{"json":"{}"}},
                 {"index":1,"toolName":"json_format","args":{"json":"{{steps.0.result.a}}"},
                  "dependsOn":[0]}]""",
                "{}"));

    var canvas = Owner.json(ALICE.get("/api/workflows/" + id + "/canvas"));

    assertThat(canvas.path("reconstructed").booleanValue()).isTrue();
    var nodes = canvas.path("graph").path("nodes");
    assertThat(nodes)
        .extracting(node -> node.path("id").textValue())
        .containsExactly("start_1", "node_1", "node_2");
    assertThat(nodes.get(2).path("data").path("argsText").textValue())
        .isEqualTo("{\"json\":\"{{node.node_1.result.a}}\"}");
    JsonNode edge = canvas.path("graph").path("edges").get(0);
    assertThat(edge.path("source").textValue()).isEqualTo("node_1");
    assertThat(edge.path("target").textValue()).isEqualTo("node_2");
  }

  @Test
  void aStoredCanvasIsOpenedAsItIs() {
    var id = ALICE.created(ODD);

    var canvas = ALICE.get("/api/workflows/" + id + "/canvas");

    canvas.then().body("reconstructed", equalTo(false));
    assertThat(canvas.asString()).contains(sliceOf(ODD, "graph"));
  }

  /** The characters of one document inside a body. */
  private static String sliceOf(String body, String member) {
    int start = body.indexOf('{', body.indexOf("\"" + member + "\""));
    int depth = 0;
    for (int at = start; ; at++) {
      depth += body.charAt(at) == '{' ? 1 : body.charAt(at) == '}' ? -1 : 0;
      if (depth == 0) {
        return body.substring(start, at + 1);
      }
    }
  }
}
