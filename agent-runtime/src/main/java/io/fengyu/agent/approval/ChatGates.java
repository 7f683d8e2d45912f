package io.fengyu.agent.approval;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.client.InternalClient;
import io.fengyu.contract.client.Service;
import io.fengyu.contract.problem.ProblemException;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** The questions of chat turns: chat-service has them, and decides about them. */
@ApplicationScoped
class ChatGates implements ApprovalSource {

  private static final Logger LOG = Logger.getLogger(ChatGates.class);
  private static final String SOURCE = "chat";
  private static final Pattern GATE =
      Pattern.compile("ap_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}");

  private final InternalClient client;

  ChatGates(InternalClient client) {
    this.client = client;
  }

  @Override
  public String name() {
    return SOURCE;
  }

  // While chat-service is away its turns do not wait for anybody either.
  @Override
  public Uni<List<OpenGate>> open(String owner, GateCursor after, int limit) {
    return client
        .get(Service.CHAT, "/internal/approvals")
        .as(owner)
        .query("after", after.openedAt().toString())
        .query("subject", after.subject())
        .query("limit", Integer.toString(limit))
        .send()
        .map(answer -> gates(answer.body()))
        .onFailure(ProblemException.class)
        .recoverWithItem(ChatGates::none);
  }

  @Override
  public Uni<List<OpenGate>> openAt(String owner, List<String> subjects) {
    if (subjects.isEmpty()) {
      return Uni.createFrom().item(List.of());
    }
    return client
        .get(Service.CHAT, "/internal/approvals")
        .as(owner)
        .query("turns", String.join(",", subjects))
        .send()
        .map(answer -> gates(answer.body()))
        .onFailure(ProblemException.class)
        .recoverWithItem(ChatGates::none);
  }

  private static List<OpenGate> none(Throwable away) {
    LOG.warnf("Questions of chat turns are left out: %s", away.getMessage());
    return List.of();
  }

  private static List<OpenGate> gates(JsonNode list) {
    var gates = new ArrayList<OpenGate>();
    list.forEach(gate -> gates.add(gate(gate)));
    return gates;
  }

  private static OpenGate gate(JsonNode gate) {
    var tool = gate.path("tool").asText();
    return new OpenGate(
        gate.path("gateId").asText(),
        "step",
        SOURCE,
        null,
        gate.path("streamId").asText(),
        tool,
        tool,
        gate.path("effect").textValue(),
        gate.get("args"),
        gate.path("argsOmitted").asBoolean(),
        gate.path("alreadyDone"),
        gate.path("reason").textValue(),
        gate.path("callId").asText(),
        1,
        Instant.parse(gate.path("openedAt").asText()),
        instant(gate.path("expiresAt").textValue()));
  }

  private static @Nullable Instant instant(@Nullable String time) {
    return time == null ? null : Instant.parse(time);
  }

  @Override
  public boolean knows(String gateId) {
    return GATE.matcher(gateId).matches();
  }

  @Override
  public Uni<GateDecided> decide(String owner, String gateId, ObjectNode decision) {
    return client
        .post(Service.CHAT, "/api/ai/tool-approvals/" + gateId)
        .as(owner)
        .json(decision)
        .send()
        .map(
            answer ->
                new GateDecided(
                    true,
                    answer.body().path("alreadyResolved").asBoolean() ? true : null,
                    gateId,
                    null,
                    null,
                    1));
  }
}
