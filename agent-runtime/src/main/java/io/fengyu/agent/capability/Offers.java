package io.fengyu.agent.capability;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.fengyu.contract.capability.LocalCapabilities;
import io.fengyu.contract.client.Answer;
import io.fengyu.contract.client.InternalClient;
import io.fengyu.contract.client.Service;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Asks the services that a capability needs; one that does not answer does not have it. */
@ApplicationScoped
class Offers {

  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private static final List<Service> OTHERS = List.of(Service.CHAT, Service.SCHEDULER);

  private record Report(Service service, JsonNode capabilities) {}

  private final LocalCapabilities local;
  private final InternalClient client;
  private final ObjectMapper json;

  Offers(LocalCapabilities local, InternalClient client, ObjectMapper json) {
    this.local = local;
    this.client = client;
    this.json = json;
  }

  Uni<Map<String, Boolean>> now() {
    return Uni.join()
        .all(OTHERS.stream().map(this::ask).toList())
        .andCollectFailures()
        .map(this::combined);
  }

  private Uni<Report> ask(Service service) {
    return client
        .get(service, "/internal/capabilities")
        .send()
        .map(Answer::body)
        .ifNoItem()
        .after(PATIENCE)
        .fail()
        .onFailure()
        .recoverWithItem(MissingNode::getInstance)
        .map(capabilities -> new Report(service, capabilities));
  }

  private Map<String, Boolean> combined(List<Report> reports) {
    var known = new EnumMap<Service, JsonNode>(Service.class);
    reports.forEach(report -> known.put(report.service, report.capabilities));
    known.put(Service.AGENT, json.valueToTree(local.now()));
    var offers = new LinkedHashMap<String, Boolean>();
    for (var offer : Offer.values()) {
      offers.put(offer.wire(), offer.needs().stream().allMatch(need -> has(known, need, offer)));
    }
    return offers;
  }

  private static boolean has(Map<Service, JsonNode> known, Service service, Offer offer) {
    return Objects.requireNonNullElse(known.get(service), MissingNode.getInstance())
        .path(offer.wire())
        .asBoolean(false);
  }
}
