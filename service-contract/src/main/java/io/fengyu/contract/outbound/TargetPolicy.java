package io.fengyu.contract.outbound;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Where hooks and tool servers that people configure may be: public addresses, private ones if the
 * operator allows them, never those where clouds hand out credentials, and never the platform's own
 * services and database. What was checked is what has to be connected to: a second look-up could
 * answer differently.
 */
@ApplicationScoped
public class TargetPolicy {

  private static final Duration LOOKUP_WITHIN = Duration.ofSeconds(5);

  private final List<URI> ownServices;
  private final int ownPort;
  private final HostLookup lookup;

  @Inject
  TargetPolicy(
      @ConfigProperty(name = "fengyu.peers.chat") List<String> chat,
      @ConfigProperty(name = "fengyu.peers.agent") List<String> agent,
      @ConfigProperty(name = "fengyu.peers.workflow") List<String> workflow,
      @ConfigProperty(name = "fengyu.peers.scheduler") List<String> scheduler,
      @ConfigProperty(name = "fengyu.peers.webhook") List<String> webhook,
      @ConfigProperty(name = "fengyu.database.uri") String database,
      @ConfigProperty(name = "quarkus.http.port") int ownPort) {
    this(
        Stream.concat(
                Stream.of(chat, agent, workflow, scheduler, webhook).flatMap(List::stream),
                Stream.of(database))
            .map(url -> URI.create(url.strip()))
            .toList(),
        ownPort,
        InetAddress::getAllByName);
  }

  /**
   * A policy of one's own.
   *
   * @param ownServices addresses of the platform's services and database
   * @param ownPort where this service listens
   */
  public TargetPolicy(List<URI> ownServices, int ownPort, HostLookup lookup) {
    this.ownServices = ownServices;
    this.ownPort = ownPort;
    this.lookup = lookup;
  }

  /** Finds the addresses of a host. */
  @FunctionalInterface
  public interface HostLookup {

    /** All of them; the calling thread may wait. */
    InetAddress[] all(String host) throws UnknownHostException;
  }

  /**
   * An address that must not be called, or none at all; its message is for the person who chose it.
   */
  public static final class TargetRefusedException extends Exception {

    private static final long serialVersionUID = 1L;

    private final boolean unknownHost;

    TargetRefusedException(String message, boolean unknownHost) {
      super(message, null, false, false);
      this.unknownHost = unknownHost;
    }

    /** True when there is no such host, or nobody could tell in time. */
    public boolean unknownHost() {
      return unknownHost;
    }
  }

  /** False for what is no http address, has no host, or carries credentials. */
  public static boolean isHttp(URI url) {
    var scheme = String.valueOf(url.getScheme()).toLowerCase(Locale.ROOT);
    return (scheme.equals("http") || scheme.equals("https"))
        && url.getHost() != null
        && url.getRawUserInfo() == null
        && url.getPort() <= 65_535;
  }

  /** The port that is connected to. */
  public static int port(URI url) {
    if (url.getPort() > 0) {
      return url.getPort();
    }
    return switch (String.valueOf(url.getScheme()).toLowerCase(Locale.ROOT)) {
      case "https" -> 443;
      case "postgresql" -> 5432;
      default -> 80;
    };
  }

  /**
   * The checked addresses of a host, best first. Waits for the look-up: for threads that may.
   *
   * @throws TargetRefusedException when the host has none, or any of them is not allowed
   */
  public List<InetSocketAddress> addresses(URI url, boolean privateAllowed)
      throws TargetRefusedException, InterruptedException {
    if (!isHttp(url)) {
      throw new TargetRefusedException("That is no http address", false);
    }
    return addresses(url.getHost(), port(url), privateAllowed);
  }

  /**
   * Likewise for a host of any protocol.
   *
   * @param host a name, or an address in figures
   */
  public List<InetSocketAddress> addresses(String host, int port, boolean privateAllowed)
      throws TargetRefusedException, InterruptedException {
    var checked = new ArrayList<InetSocketAddress>();
    for (var address : lookUp(host)) {
      if (refused(address, port, privateAllowed)) {
        throw new TargetRefusedException("Calling " + host + " is not allowed here", false);
      }
      checked.add(new InetSocketAddress(address, port));
    }
    return checked;
  }

  /** True when an address in figures, or a name of this machine, is refused; looks nothing up. */
  public boolean refusesLiterally(URI url, boolean privateAllowed) {
    var host = url.getHost().toLowerCase(Locale.ROOT);
    var literal =
        host.equals("localhost") || host.startsWith("[") || host.matches("[0-9.]+|0x[0-9a-f.x]+");
    return literal
        && Arrays.stream(quietly(host))
            .anyMatch(address -> refused(address, port(url), privateAllowed));
  }

  private boolean refused(InetAddress address, int port, boolean privateAllowed) {
    return switch (AddressKind.of(address)) {
      case PUBLIC -> ownService(address, port);
      case PRIVATE -> !privateAllowed || ownService(address, port);
      case METADATA -> true;
    };
  }

  private boolean ownService(InetAddress address, int port) {
    if (!ownPorts().contains(port)) {
      return false;
    }
    return ofThisMachine(address)
        || ownServices.stream()
            .filter(service -> port(service) == port && service.getHost() != null)
            .anyMatch(service -> Arrays.asList(quietly(service.getHost())).contains(address));
  }

  private Set<Integer> ownPorts() {
    var ports = new HashSet<Integer>();
    ports.add(ownPort);
    ownServices.forEach(service -> ports.add(port(service)));
    return ports;
  }

  private static boolean ofThisMachine(InetAddress address) {
    try {
      return address.isLoopbackAddress()
          || address.isAnyLocalAddress()
          || NetworkInterface.getByInetAddress(address) != null;
    } catch (SocketException unknown) {
      return true;
    }
  }

  private InetAddress[] lookUp(String host) throws TargetRefusedException, InterruptedException {
    var found = new CompletableFuture<InetAddress[]>();
    Thread.ofVirtual().name("target-lookup").start(() -> found.complete(quietly(host)));
    try {
      var addresses = found.get(LOOKUP_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
      if (addresses.length > 0) {
        return addresses;
      }
    } catch (TimeoutException late) {
      throw new TargetRefusedException("The host " + host + " cannot be found in time", true);
    } catch (ExecutionException impossible) {
      throw new IllegalStateException(impossible);
    }
    throw new TargetRefusedException("The host " + host + " cannot be found", true);
  }

  private InetAddress[] quietly(String host) {
    try {
      var bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
      return lookup.all(bare);
    } catch (UnknownHostException unknown) {
      return new InetAddress[0];
    }
  }
}
