package io.fengyu.workflow.story;

import static io.fengyu.workflow.story.Owner.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.not;

import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@QuarkusTest
class DeletionTest {

  private final Neighbours neighbours = new Neighbours();

  @BeforeEach
  void neighboursAreThere() {
    neighbours.moveIn();
  }

  @AfterEach
  void neighboursLeave() {
    neighbours.moveOut();
  }

  @Test
  void deletingEndsSchedulesAndTriggersOfThisWorkflowOnly() {
    var id = ALICE.created(Drafts.named("Doomed"));
    var other = ALICE.created(Drafts.named("Other"));
    ALICE.post("/api/workflows/" + id + "/publish").then().statusCode(200);
    neighbours.schedule(id, "ACTIVE");
    neighbours.schedule(id, "ACTIVE");
    neighbours.schedule(id, "CANCELLED");
    neighbours.schedule(other, "ACTIVE");
    neighbours.trigger(id, true);
    neighbours.trigger(other, true);

    ALICE
        .delete("/api/workflows/" + id)
        .then()
        .statusCode(200)
        .body("ok", equalTo(true))
        .body("cancelledSchedules", equalTo(2))
        .body("cancelledWebhookTriggers", equalTo(1));

    ALICE.get("/api/workflows/" + id).then().statusCode(404);
    ALICE.get("/api/workflows/" + id + "/revisions").then().statusCode(404);
    ALICE.get("/api/workflows").then().body("id", not(hasItem(id))).body("id", hasItem(other));
    assertThat(neighbours.activeSchedules(id)).isZero();
    assertThat(neighbours.enabledTriggers(id)).isZero();
    assertThat(neighbours.activeSchedules(other)).isEqualTo(1);
    assertThat(neighbours.enabledTriggers(other)).isEqualTo(1);
    assertThat(neighbours.snapshots(id)).isZero();
  }

  @Test
  void deletingTwiceFindsNothingTheSecondTime() {
    var id = ALICE.created(Drafts.named("Doomed"));
    ALICE.delete("/api/workflows/" + id).then().statusCode(200);

    ALICE
        .delete("/api/workflows/" + id)
        .then()
        .statusCode(404)
        .body("code", equalTo("WORKFLOW_NOT_FOUND"));
  }

  @Test
  void whenTriggersCannotBeDisabledNothingIsDeletedOrCancelled() {
    var id = ALICE.created(Drafts.named("Spared"));
    neighbours.schedule(id, "ACTIVE");
    neighbours.triggersFail();

    ALICE
        .delete("/api/workflows/" + id)
        .then()
        .statusCode(503)
        .body("code", equalTo("DEPENDENCY_UNAVAILABLE"))
        .body("params.service", equalTo("webhook-gateway"));

    ALICE.get("/api/workflows/" + id).then().statusCode(200);
    assertThat(neighbours.activeSchedules(id)).isEqualTo(1);
  }

  @Test
  void whenAServiceWasNeverInstalledNothingIsDeleted() {
    var id = ALICE.created(Drafts.named("Spared"));
    neighbours.moveOut();

    ALICE
        .delete("/api/workflows/" + id)
        .then()
        .statusCode(503)
        .body("params.service", equalTo("task-scheduler"));

    ALICE.get("/api/workflows/" + id).then().statusCode(200);
  }
}
