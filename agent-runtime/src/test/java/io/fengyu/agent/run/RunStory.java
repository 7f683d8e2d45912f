package io.fengyu.agent.run;

import static org.hamcrest.Matchers.contains;

import io.fengyu.contract.client.Peers;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.inject.Inject;

/** What stories about runs have in common. */
abstract class RunStory {

  @Inject Pool pool;
  @Inject Peers peers;
  static final String FULL = "'config':{'permissionMode':'full-access'}";
  final RunClient alice = RunClient.alice();

  void states(String runId, String... states) {
    alice.detail(runId).body("executions.status", contains(states));
  }
}
