package io.fengyu.workflow.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.client.Answer;
import io.fengyu.contract.client.InternalClient;
import io.fengyu.contract.client.Service;
import io.fengyu.contract.start.Claimed;
import io.fengyu.contract.start.StartClaim;
import io.fengyu.contract.start.StartKey;
import io.fengyu.contract.start.Starts;
import io.fengyu.workflow.definition.Definitions;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Starts a run of the current draft.
 *
 * <p>The plan goes to the runtime as it was saved, beside the checked inputs: the runtime puts
 * values in place of references in one pass, so a text that somebody typed into an input can never
 * be read as a reference.
 */
@ApplicationScoped
class RunWorkflow {

  private static final String BY_ID = "start_request_id";

  private final Definitions definitions;
  private final InternalClient client;
  private final Starts starts;

  RunWorkflow(Definitions definitions, InternalClient client, Starts starts) {
    this.definitions = definitions;
    this.client = client;
    this.starts = starts;
  }

  /**
   * Starts it, or answers what was answered before when the wish has the id of an earlier start:
   * whatever became of the draft meanwhile.
   *
   * @param claims of the call; possibly none
   */
  Uni<JsonNode> run(
      String id, String owner, RunWish wish, List<StartClaim> claims, @Nullable String language) {
    var startId = wish.startRequestId();
    if (startId == null) {
      return begin(id, owner, wish, claims, language);
    }
    var content = id + " " + wish.fingerprint();
    return starts.within(
        claims,
        new StartKey(owner, BY_ID, "startRequestId", startId, content),
        all -> begin(id, owner, wish, all, language),
        before -> Uni.createFrom().item(() -> replayed(before)));
  }

  private JsonNode replayed(Claimed.Before before) {
    return starts.read(before.answer(), ObjectNode.class).put("replayed", true);
  }

  private Uni<JsonNode> begin(
      String id, String owner, RunWish wish, List<StartClaim> claims, @Nullable String language) {
    return definitions
        .get(id, owner)
        .map(definition -> RunStart.of(definition, wish))
        .chain(start -> send(start, owner, operation(claims), language))
        .map(Answer::body);
  }

  /** What the runtime knows this start by: the same for every attempt under the same key. */
  private static String operation(List<StartClaim> claims) {
    return (claims.isEmpty() ? UUID.randomUUID() : claims.getLast().operation()).toString();
  }

  private Uni<Answer> send(
      ObjectNode start, String owner, String operation, @Nullable String language) {
    return client
        .post(Service.AGENT, "/api/agent/run")
        .as(owner)
        .operation(operation)
        .header("Accept-Language", language)
        .json(start)
        .send();
  }
}
