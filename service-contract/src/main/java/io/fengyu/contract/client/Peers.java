package io.fengyu.contract.client;

import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import jakarta.enterprise.context.ApplicationScoped;
import java.net.URI;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;

/** The addresses of the services; they may change while the program runs. */
@ApplicationScoped
public class Peers {

  private final Vertx vertx;
  private final Map<Service, Circuit> circuits = new ConcurrentHashMap<>();
  private volatile Map<Service, PeerAddresses> addresses = Map.of();

  Peers(PeersConfig config, Vertx vertx) {
    this.vertx = vertx;
    var initial = new EnumMap<Service, List<URI>>(Service.class);
    initial.put(Service.CHAT, parse("CHAT_URL", config.chat()));
    initial.put(Service.AGENT, parse("AGENT_URL", config.agent()));
    initial.put(Service.WORKFLOW, parse("WORKFLOW_URL", config.workflow()));
    initial.put(Service.SCHEDULER, parse("SCHEDULER_URL", config.scheduler()));
    initial.put(Service.WEBHOOK, parse("WEBHOOK_URL", config.webhook()));
    replace(initial);
  }

  /** All processes, the one whose turn it is first; names are looked up off the event loop. */
  Uni<List<URI>> inTurn(Service service) {
    var peers = addresses.get(service);
    if (peers == null) {
      return Uni.createFrom().item(List.of());
    }
    if (!peers.due()) {
      return Uni.createFrom().item(peers::inTurn);
    }
    var looking =
        Uni.createFrom()
            .completionStage(vertx.executeBlocking(lookUp(peers), false).toCompletionStage());
    if (peers.known()) {
      looking.subscribe().with(done -> {});
      return Uni.createFrom().item(peers::inTurn);
    }
    return looking.map(done -> peers.inTurn());
  }

  private static Callable<Boolean> lookUp(PeerAddresses peers) {
    return () -> {
      peers.lookUp();
      return true;
    };
  }

  /** This one could not be connected to. */
  void refused(Service service, URI process) {
    var peers = addresses.get(service);
    if (peers != null) {
      peers.refused(process);
    }
  }

  /** Whether a service is called at all after it failed for a while. */
  Circuit circuit(Service service) {
    return circuits.computeIfAbsent(service, first -> new Circuit(System::nanoTime));
  }

  /**
   * From now on these; services that are not named keep their addresses. What is known about a
   * service at its old addresses says nothing about the new ones.
   */
  public void replace(Map<Service, List<URI>> changed) {
    var copy = new EnumMap<Service, PeerAddresses>(Service.class);
    copy.putAll(addresses);
    changed.forEach(
        (service, now) ->
            copy.put(service, new PeerAddresses(now, PeerAddresses::byResolver, System::nanoTime)));
    addresses = copy;
    circuits.keySet().removeAll(changed.keySet());
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
