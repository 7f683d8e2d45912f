package io.fengyu.agent.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.notNullValue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.inject.Inject;
import java.util.List;

/** What stories about runs that take over an earlier plan have in common. */
abstract class ReplayStory {

  static final String FULL = "'config':{'permissionMode':'full-access'}";
  static final String FOR_ME = "'config':{'permissionMode':'approve-for-me'}";
  static final String NOTE = "{'toolName':'test_note','args':{'n':1}}";
  static final String FAIL = "{'toolName':'fail','args':{'message':'no such sheet'}}";
  final RunClient alice = RunClient.alice();
  @Inject Pool pool;

  String ended(String body, String type) {
    var runId = alice.start(body);
    assertThat(alice.end(runId).type()).isEqualTo(type);
    return runId;
  }

  String failing(String config) {
    return ended(
        "{'goal':'try'," + config + ",'workflow':{'steps':[" + NOTE + "," + FAIL + "]}}", "error");
  }

  String resumed(String runId) {
    return alice.post("/runs/" + runId + "/resume", "").statusCode(200).extract().path("runId");
  }

  static ObjectNode plan(JsonNode gate) {
    return (ObjectNode) gate.path("plan");
  }

  List<Integer> steps(String runId, String type) {
    return alice.watch(runId).stream()
        .filter(event -> event.type().equals(type))
        .map(event -> event.data().path("index").asInt())
        .toList();
  }

  void refused(String runId, String way, String body, int status, String code) {
    alice
        .post("/runs/" + runId + "/" + way, body)
        .statusCode(status)
        .body("code", equalTo(code))
        .body("error", notNullValue());
  }
}
