package io.fengyu.chat.turn;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.chat.context.Compaction;
import io.fengyu.chat.journal.LiveTurn;
import io.fengyu.chat.journal.NewTurn;
import io.fengyu.chat.journal.TurnConfig;
import io.fengyu.chat.journal.TurnStore;
import io.fengyu.chat.model.Backend;
import io.fengyu.chat.model.ModelGateway;
import io.fengyu.chat.model.ModelLimits;
import io.fengyu.chat.model.config.AiConfigs;
import io.fengyu.chat.model.config.AiProblems;
import io.fengyu.chat.model.config.AiSettings;
import io.fengyu.contract.client.InternalClient;
import io.fengyu.contract.client.Service;
import io.fengyu.contract.identity.StartLimit;
import io.fengyu.contract.json.CanonicalJson;
import io.fengyu.contract.problem.ProblemException;
import io.fengyu.contract.start.Claimed;
import io.fengyu.contract.start.StartClaim;
import io.fengyu.contract.start.StartKey;
import io.fengyu.contract.start.Starts;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import org.jboss.resteasy.reactive.RestResponse;
import org.jspecify.annotations.Nullable;

/** Starts turns. */
@ApplicationScoped
class Turns {

  private final AiConfigs configs;
  private final TurnStore store;
  private final StartLimit limit;
  private final Starts starts;
  private final InternalClient client;
  private final OwnerBudget budgets;
  private final TurnConfig config;
  private final ModelLimits models;
  private final TurnRun.TurnTools tools;

  Turns(
      AiConfigs configs,
      TurnStore store,
      StartLimit limit,
      Starts starts,
      InternalClient client,
      OwnerBudget budgets,
      TurnConfig config,
      ModelLimits models,
      ModelGateway gateway,
      ToolDoor door,
      Approvals approvals,
      Compaction compaction) {
    this.configs = configs;
    this.store = store;
    this.limit = limit;
    this.starts = starts;
    this.client = client;
    this.budgets = budgets;
    this.config = config;
    this.models = models;
    this.tools = new TurnRun.TurnTools(gateway, door, approvals, compaction, store, config);
  }

  /** Starts a turn, or tells what the first call with the same key or send was told. */
  Uni<RestResponse<ObjectNode>> start(String owner, @Nullable String key, ObjectNode body) {
    var request = TurnRequest.read(body);
    if (request.editTurn() != null && !config.editLatest()) {
      throw TurnRefusals.editDisabled();
    }
    return starts.once(key, body, ObjectNode.class, claims -> sent(owner, request, body, claims));
  }

  private Uni<ObjectNode> sent(
      String owner, TurnRequest request, ObjectNode body, List<StartClaim> claims) {
    var send = request.sendId();
    if (send == null) {
      return begin(owner, request, body, claims);
    }
    var key = new StartKey(owner, "sendId", "sendId", send, CanonicalJson.sha256(body));
    return starts
        .within(claims, key, all -> begin(owner, request, body, all), this::again)
        .onFailure(failure -> is(failure, "START_IDEMPOTENCY_CONFLICT"))
        .transform(conflict -> TurnRefusals.sendConflict(send));
  }

  private Uni<ObjectNode> again(Claimed.Before before) {
    return Uni.createFrom()
        .item(() -> starts.read(before.answer(), ObjectNode.class).put("replayed", true));
  }

  private static boolean is(Throwable failure, String code) {
    return failure instanceof ProblemException known && known.problem().code().equals(code);
  }

  private Uni<ObjectNode> begin(
      String owner, TurnRequest request, ObjectNode body, List<StartClaim> claims) {
    limit.admit(owner);
    if (store.running() >= models.turns()) {
      throw AiProblems.busy("global");
    }
    var id = UUID.randomUUID();
    return Uni.combine()
        .all()
        .unis(
            configs.settings(owner),
            backend(owner, request.options().model()),
            budgets.of(owner),
            workflow(owner, request.workflowId()))
        .asTuple()
        .map(
            all ->
                plan(
                    id,
                    owner,
                    request,
                    all.getItem1(),
                    all.getItem2(),
                    request.options().budget().or(all.getItem3())))
        .chain(plan -> begin(plan, body, claims));
  }

  private Uni<ObjectNode> begin(TurnPlan plan, ObjectNode body, List<StartClaim> claims) {
    var request = plan.request();
    var answer = JsonNodeFactory.instance.objectNode();
    answer.put("streamId", plan.id().toString());
    answer.putArray("activeFileRefs");
    answer.putArray("resources");
    var turn =
        new NewTurn(
            plan.id(),
            plan.owner(),
            request.conversationId(),
            request.input(),
            request.shownOptions().toString(),
            request.editTurn(),
            claims);
    return store.begin(turn, body, answer).invoke(live -> launch(live, plan)).replaceWith(answer);
  }

  private void launch(LiveTurn live, TurnPlan plan) {
    Thread.ofVirtual().name("turn-" + plan.id()).start(new TurnRun(live, plan, tools));
  }

  /**
   * What answers.
   *
   * @param missing why nothing does; null when something does
   */
  private record Answering(@Nullable Backend backend, @Nullable String missing) {}

  // A back end that is not complete is told on the stream; a model that nobody has is refused.
  private Uni<Answering> backend(String owner, @Nullable String model) {
    return configs
        .backend(owner, model)
        .map(backend -> new Answering(backend, null))
        .onFailure(failure -> is(failure, "MODEL_NOT_CONFIGURED"))
        .recoverWithItem(
            failure -> {
              var params = ((ProblemException) failure).problem().params();
              return new Answering(
                  null,
                  "The back end "
                      + params.get("mode")
                      + " is not completely configured: "
                      + params.get("reason"));
            });
  }

  private Uni<Boolean> workflow(String owner, @Nullable String id) {
    if (id == null) {
      return Uni.createFrom().item(true);
    }
    var encoded = java.net.URLEncoder.encode(id, StandardCharsets.UTF_8);
    return client
        .get(Service.WORKFLOW, "/api/workflows/" + encoded)
        .as(owner)
        .send()
        .replaceWith(true)
        .onFailure(Turns::isUnknown)
        .transform(unknown -> TurnRefusals.workflowUnknown(id));
  }

  // As opposed to a service that is away.
  private static boolean isUnknown(Throwable failure) {
    return failure instanceof ProblemException known
        && (known.problem().status() == 404 || known.problem().status() == 400);
  }

  private TurnPlan plan(
      UUID id,
      String owner,
      TurnRequest request,
      AiSettings settings,
      Answering answering,
      Budget budget) {
    var rounds = settings.maxToolRounds();
    return new TurnPlan(
        id,
        owner,
        request,
        answering.backend(),
        answering.missing(),
        settings.systemPrompt(),
        settings.contextWindowTokens(),
        rounds == 0 ? config.roundCeiling() : rounds,
        budget);
  }
}
