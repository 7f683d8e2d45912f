package io.fengyu.contract.client;

import jakarta.enterprise.context.ApplicationScoped;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** The addresses of the services; they may change while the program runs. */
@ApplicationScoped
public class Peers {

  private final AtomicInteger turn = new AtomicInteger();
  private volatile Map<Service, List<URI>> addresses;

  Peers(PeersConfig config) {
    var initial = new EnumMap<Service, List<URI>>(Service.class);
    initial.put(Service.CHAT, parse("CHAT_URL", config.chat()));
    initial.put(Service.AGENT, parse("AGENT_URL", config.agent()));
    initial.put(Service.WORKFLOW, parse("WORKFLOW_URL", config.workflow()));
    initial.put(Service.SCHEDULER, parse("SCHEDULER_URL", config.scheduler()));
    initial.put(Service.WEBHOOK, parse("WEBHOOK_URL", config.webhook()));
    addresses = initial;
  }

  /** All replicas, the one whose turn it is first. */
  public List<URI> inTurn(Service service) {
    var known = new ArrayList<>(addresses.getOrDefault(service, List.of()));
    if (!known.isEmpty()) {
      Collections.rotate(known, -Math.floorMod(turn.getAndIncrement(), known.size()));
    }
    return known;
  }

  /** From now on these; services that are not named keep their addresses. */
  public void replace(Map<Service, List<URI>> changed) {
    var copy = new EnumMap<>(addresses);
    copy.putAll(changed);
    addresses = copy;
  }

  static List<URI> parse(String name, List<String> values) {
    return values.stream().map(String::strip).map(value -> address(name, value)).toList();
  }

  private static URI address(String name, String value) {
    try {
      var address = new URI(value);
      var scheme = String.valueOf(address.getScheme());
      if (address.getHost() != null && (scheme.equals("http") || scheme.equals("https"))) {
        return address;
      }
    } catch (java.net.URISyntaxException malformed) {
      throw new IllegalArgumentException(name + " is no address: " + value, malformed);
    }
    throw new IllegalArgumentException(name + " is no http address: " + value);
  }
}
