package io.fengyu.workflow.story;

import static io.fengyu.workflow.story.Owner.ALICE;
import static io.fengyu.workflow.story.Owner.BOB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.equalTo;

import io.fengyu.contract.db.Listener;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@QuarkusTest
class CallableTest {

  private final Neighbours neighbours = new Neighbours();
  private final Queue<String> heard = new ConcurrentLinkedQueue<>();

  @Inject Listener listener;

  @BeforeEach
  void moveIn() {
    neighbours.moveIn();
  }

  @AfterEach
  void moveOut() {
    neighbours.moveOut();
  }

  @Test
  void othersSeeTheSnapshotOfItsOwnerUntilItIsTakenBack() {
    var id = ALICE.created(version(1));
    assertThat(names(ALICE)).doesNotContain("v1");
    publish(id);
    ALICE.put("/api/workflows/" + id, version(2)).then().statusCode(200);

    assertThat(names(ALICE)).contains("v1").doesNotContain("v2");
    assertThat(names(BOB)).doesNotContain("v1", "v2");
    publish(id);
    assertThat(names(ALICE)).contains("v2").doesNotContain("v1");
    ALICE.post("/api/workflows/" + id + "/publish", "{\"published\":false}");
    assertThat(names(ALICE)).doesNotContain("v1", "v2");
  }

  @Test
  void whoeverListensHearsOfEveryChange() {
    var id = ALICE.created(version(1));
    listener.listen("fengyu_workflows", heard::add, () -> {});
    await().until(listener::connected);

    publish(id);
    heardOnce();
    ALICE.post("/api/workflows/" + id + "/publish", "{\"published\":false}");
    heardOnce();
    ALICE.delete("/api/workflows/" + id).then().statusCode(200);
    heardOnce();
  }

  private void heardOnce() {
    await().untilAsserted(() -> assertThat(heard.poll()).isEqualTo("alice"));
  }

  @Test
  void eachOfAHundredStartsUsesOneVersionWholeWhilePublishingGoesOn() throws Exception {
    var id = ALICE.created(version(1));
    publish(id);
    var seen = new HashSet<Integer>();
    try (var threads = Executors.newFixedThreadPool(8)) {
      var publishing =
          threads.submit(
              () -> {
                for (int v = 2; v <= 12; v++) {
                  ALICE.put("/api/workflows/" + id, version(v)).then().statusCode(200);
                  publish(id);
                }
              });
      Callable<Integer> start = () -> boundVersion(id);
      for (var started : threads.invokeAll(Collections.nCopies(100, start))) {
        seen.add(started.get());
      }
      publishing.get();
    }
    assertThat(seen).allSatisfy(v -> assertThat(v).isBetween(1, 12));
    assertThat(boundVersion(id)).isEqualTo(12);
  }

  @Test
  void aDraftIsBoundOnlyForItsOwnRun() {
    var id = ALICE.created(version(1));

    ALICE
        .internal("/internal/workflows/" + id + "/bound", "{}")
        .then()
        .statusCode(409)
        .body("code", equalTo("WORKFLOW_NOT_PUBLISHED"));
    assertThat(
            Owner.json(ALICE.internal("/internal/workflows/" + id + "/bound?draft=true", "{}"))
                .at("/workflow/goal")
                .asText())
        .isEqualTo("v1");
    BOB.internal("/internal/workflows/" + id + "/bound?draft=true", "{}").then().statusCode(404);
  }

  /** The version of what was bound; fails when its parts are of different ones. */
  private static int boundVersion(String id) {
    var bound = Owner.json(ALICE.internal("/internal/workflows/" + id + "/bound", "{}"));
    var goal = bound.at("/workflow/goal").asText();
    assertThat(bound.path("name").asText()).isEqualTo(goal);
    assertThat(bound.at("/workflow/steps/0/args/json").asText()).isEqualTo(goal);
    assertThat(bound.at("/inputs/v").asText()).isEqualTo(goal);
    return Integer.parseInt(goal.substring(1));
  }

  private static String version(int v) {
    return """
        {"name":"v%1$d","inputSchema":{"type":"object","properties":{"v":{"default":"v%1$d"}}},
         "plan":{"goal":"v%1$d","steps":[
           {"index":0,"toolName":"json_format","args":{"json":"v%1$d"},"dependsOn":[]}]}}"""
        .formatted(v);
  }

  private static void publish(String id) {
    ALICE.post("/api/workflows/" + id + "/publish", "{}").then().statusCode(200);
  }

  private static List<String> names(Owner owner) {
    return Owner.json(owner.internal("/internal/published-workflows")).findValuesAsText("name");
  }
}
