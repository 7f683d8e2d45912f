package io.fengyu.chat.model;

import io.fengyu.contract.outbound.AddressKind;
import io.smallrye.mutiny.Uni;
import io.vertx.core.net.SocketAddress;
import jakarta.enterprise.context.ApplicationScoped;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which addresses providers may have. On a server private hosts need the operator's word; addresses
 * where clouds hand out credentials never get it. What was checked is what is connected to: the
 * name is not looked up again.
 */
@ApplicationScoped
public class EndpointPolicy {

  private static final Duration LOOKUP_TIMEOUT = Duration.ofSeconds(5);

  private final boolean privateAllowed;
  private final Set<String> allowedHosts;

  EndpointPolicy(EndpointConfig config) {
    privateAllowed = config.allowPrivate().orElse(config.workstation());
    allowedHosts =
        Stream.concat(config.allowHosts().stream().flatMap(List::stream), operators(config))
            .map(host -> host.strip().toLowerCase(Locale.ROOT))
            .filter(host -> !host.isEmpty())
            .collect(Collectors.toUnmodifiableSet());
  }

  // An address that the operator configured for everybody needs no second permission.
  private static Stream<String> operators(EndpointConfig config) {
    return config.operatorUrls().stream()
        .flatMap(List::stream)
        .flatMap(url -> BaseUrl.parse(url).stream())
        .map(url -> url.getHost() + ":" + BaseUrl.port(url));
  }

  /** The checked addresses of a host, best first; fails when any of them is refused. */
  Uni<List<SocketAddress>> addresses(URI url) {
    return Uni.createFrom()
        .<InetAddress[]>emitter(
            emitter ->
                Thread.ofVirtual()
                    .name("model-lookup")
                    .start(
                        () -> {
                          try {
                            emitter.complete(InetAddress.getAllByName(url.getHost()));
                          } catch (UnknownHostException unknown) {
                            emitter.fail(unknownHost(url));
                          }
                        }))
        .ifNoItem()
        .after(LOOKUP_TIMEOUT)
        .failWith(() -> unknownHost(url))
        .map(found -> checked(url, found));
  }

  /** True when an address that is written in figures, or a name of this machine, is refused. */
  public boolean refusesLiterally(URI url) {
    var host = bare(url);
    var literal =
        host.equals("localhost") || host.indexOf(':') >= 0 || host.matches("[0-9.]+|0x[0-9a-f]+");
    try {
      return literal
          && Arrays.stream(InetAddress.getAllByName(host)).anyMatch(a -> refused(url, a));
    } catch (UnknownHostException noAddress) {
      return false;
    }
  }

  private List<SocketAddress> checked(URI url, InetAddress[] found) {
    var allowed = new ArrayList<SocketAddress>();
    for (var address : found) {
      if (refused(url, address)) {
        throw ModelFailure.lasting(
            ErrorCode.PROVIDER_4XX, "The address of " + url.getHost() + " is not allowed here");
      }
      allowed.add(
          SocketAddress.inetSocketAddress(new InetSocketAddress(address, BaseUrl.port(url))));
    }
    return allowed;
  }

  private boolean refused(URI url, InetAddress address) {
    return switch (AddressKind.of(address)) {
      case PUBLIC -> false;
      case METADATA -> true;
      case PRIVATE -> !privateAllowed && !namedByOperator(url);
    };
  }

  private boolean namedByOperator(URI url) {
    var host = bare(url);
    return allowedHosts.contains(host) || allowedHosts.contains(host + ":" + BaseUrl.port(url));
  }

  private static String bare(URI url) {
    var host = url.getHost().toLowerCase(Locale.ROOT);
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }

  private static ModelFailure unknownHost(URI url) {
    return ModelFailure.passing(
        ErrorCode.NETWORK, "The host " + url.getHost() + " cannot be found", null);
  }
}
