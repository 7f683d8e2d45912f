package io.fengyu.workflow.story;

import static io.fengyu.workflow.story.Owner.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;

import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

@QuarkusTest
class RevisionTest {

  private static final String EMPTY = "{\"name\":\"Empty\",\"plan\":{\"steps\":[]}}";

  @Test
  void aStaleSaveIsRefusedAndChangesNothing() {
    var id = ALICE.created(Drafts.named("Draft"));
    ALICE.put("/api/workflows/" + id, Drafts.named("Second")).then().statusCode(200);

    ALICE
        .put("/api/workflows/" + id, Drafts.with("\"expectedRevision\":1", Drafts.named("Late")))
        .then()
        .statusCode(409)
        .contentType("application/problem+json")
        .body("success", equalTo(false))
        .body("code", equalTo("WORKFLOW_REVISION_CONFLICT"))
        .body("workflowId", equalTo(id))
        .body("expectedRevision", equalTo(1))
        .body("actualRevision", equalTo(2))
        .body("params.workflowId", equalTo(id))
        .body("params.expectedRevision", equalTo(1))
        .body("params.actualRevision", equalTo(2));

    assertThat(ALICE.definition(id).path("name").textValue()).isEqualTo("Second");
  }

  @Test
  void aClientThatSendsBackWhatItReadIsProtected() {
    var id = ALICE.created(Drafts.named("Draft"));
    var read = ALICE.get("/api/workflows/" + id).asString();

    ALICE.put("/api/workflows/" + id, read).then().statusCode(200).body("revision", equalTo(2));

    ALICE.put("/api/workflows/" + id, read).then().statusCode(409);
    ALICE
        .put("/api/workflows/" + id, Drafts.with("\"expectedRevision\":2", read))
        .then()
        .statusCode(200);
  }

  @Test
  void staleAndInvalidAtOnceIsStale() {
    var id = ALICE.created(Drafts.named("Draft"));

    ALICE
        .put("/api/workflows/" + id, "{\"name\":\"\",\"expectedRevision\":7}")
        .then()
        .statusCode(409)
        .body("code", equalTo("WORKFLOW_REVISION_CONFLICT"));
  }

  @Test
  void ofTwentySavesAtOnceExactlyOneWins() throws Exception {
    var id = ALICE.created(Drafts.named("Contended"));
    var saves =
        IntStream.range(0, 20)
            .<Callable<Integer>>mapToObj(
                i ->
                    () ->
                        ALICE
                            .put(
                                "/api/workflows/" + id,
                                Drafts.with("\"expectedRevision\":1", Drafts.named("Save " + i)))
                            .statusCode())
            .toList();

    List<Integer> answers;
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      answers = threads.invokeAll(saves).stream().map(future -> future.resultNow()).toList();
    }

    assertThat(answers).filteredOn(status -> status == 200).hasSize(1);
    assertThat(answers).filteredOn(status -> status == 409).hasSize(19);
    assertThat(ALICE.definition(id).path("revision").intValue()).isEqualTo(2);
  }

  @Test
  void ofManyPublicationsAtOnceExactlyOneWinsToo() throws Exception {
    var id = ALICE.created(Drafts.named("Contended"));
    Callable<Integer> publish =
        () ->
            ALICE
                .post("/api/workflows/" + id + "/publish", "{\"expectedRevision\":1}")
                .statusCode();

    List<Integer> answers;
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      answers =
          threads.invokeAll(java.util.Collections.nCopies(10, publish)).stream()
              .map(future -> future.resultNow())
              .toList();
    }

    assertThat(answers).filteredOn(status -> status == 200).hasSize(1);
    assertThat(answers).filteredOn(status -> status == 409).hasSize(9);
    ALICE.get("/api/workflows/" + id + "/revisions").then().body("size()", equalTo(1));
  }

  @Test
  void publishingMakesASnapshotThatLaterSavesDoNotTouch() {
    var id = ALICE.created(Drafts.named("Flow", "First goal"));

    ALICE
        .post("/api/workflows/" + id + "/publish", "{\"published\":true,\"expectedRevision\":1}")
        .then()
        .statusCode(200)
        .body("published", equalTo(true))
        .body("revision", equalTo(2))
        .body("publishedRevision", equalTo(2))
        .body("hasUnpublishedChanges", equalTo(false));
    ALICE
        .put("/api/workflows/" + id, Drafts.named("Flow", "Second goal"))
        .then()
        .body("revision", equalTo(3))
        .body("published", equalTo(true))
        .body("publishedRevision", equalTo(2))
        .body("hasUnpublishedChanges", equalTo(true));

    ALICE
        .get("/api/workflows/" + id + "/revisions/2")
        .then()
        .statusCode(200)
        .body("plan.goal", equalTo("First goal"))
        .body("revision", equalTo(2))
        .body("publishedRevision", equalTo(2))
        .body("hasUnpublishedChanges", equalTo(false));

    ALICE.post("/api/workflows/" + id + "/publish").then().body("publishedRevision", equalTo(4));
    ALICE
        .get("/api/workflows/" + id + "/revisions")
        .then()
        .body("revision", equalTo(List.of(4, 2)))
        .body("active", equalTo(List.of(true, false)));
  }

  @Test
  void unpublishingKeepsTheSnapshotsAndNoneIsActive() {
    var id = ALICE.created(Drafts.named("Flow"));
    ALICE.post("/api/workflows/" + id + "/publish", "{}").then().statusCode(200);

    ALICE
        .post("/api/workflows/" + id + "/publish", "{\"published\":false}")
        .then()
        .statusCode(200)
        .body("published", equalTo(false))
        .body("revision", equalTo(3))
        .body("publishedRevision", nullValue())
        .body("hasUnpublishedChanges", equalTo(false));

    ALICE
        .get("/api/workflows/" + id + "/revisions")
        .then()
        .body("revision", equalTo(List.of(2)))
        .body("active", equalTo(List.of(false)));
  }

  @Test
  void restoringCopiesASnapshotIntoTheDraftOnly() {
    var id = ALICE.created(Drafts.named("Old name", "Old goal"));
    ALICE.post("/api/workflows/" + id + "/publish").then().statusCode(200);
    ALICE.put("/api/workflows/" + id, Drafts.named("New", "New goal")).then().statusCode(200);
    ALICE.post("/api/workflows/" + id + "/publish").then().body("publishedRevision", equalTo(4));

    ALICE
        .post("/api/workflows/" + id + "/revisions/2/restore", "{\"expectedRevision\":3}")
        .then()
        .statusCode(409);
    ALICE
        .post("/api/workflows/" + id + "/revisions/2/restore", "{\"expectedRevision\":4}")
        .then()
        .statusCode(200)
        .body("revision", equalTo(5))
        .body("publishedRevision", equalTo(4))
        .body("hasUnpublishedChanges", equalTo(true))
        .body("name", equalTo("Old name"))
        .body("plan.goal", equalTo("Old goal"));

    ALICE
        .get("/api/workflows/" + id + "/revisions/4")
        .then()
        .body("plan.goal", equalTo("New goal"));
  }

  @Test
  void aVersionThatNeverWasIsNotFound() {
    var id = ALICE.created(Drafts.named("Flow"));

    for (var revision : List.of("1", "0", "99999999999", "x")) {
      ALICE
          .get("/api/workflows/" + id + "/revisions/" + revision)
          .then()
          .statusCode(404)
          .body("code", equalTo("WORKFLOW_REVISION_NOT_FOUND"))
          .body("params.workflowId", equalTo(id));
      ALICE
          .post("/api/workflows/" + id + "/revisions/" + revision + "/restore", "{}")
          .then()
          .statusCode(404)
          .body("code", equalTo("WORKFLOW_REVISION_NOT_FOUND"));
    }
  }

  @Test
  void aWorkflowWithoutStepsCanBeSavedButNotPublished() {
    var id = ALICE.created(EMPTY);

    ALICE
        .post("/api/workflows/" + id + "/publish")
        .then()
        .statusCode(400)
        .body("code", equalTo("WORKFLOW_EMPTY"));
    ALICE
        .post("/api/workflows/" + id + "/publish", "{\"expectedRevision\":9}")
        .then()
        .statusCode(409);

    assertThat(ALICE.definition(id).path("revision").intValue()).isEqualTo(1);
  }
}
