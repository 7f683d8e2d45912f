package io.fengyu.agent.tool.web;

import io.fengyu.agent.tool.ToolException;
import io.fengyu.agent.tool.WebRules;
import io.fengyu.agent.tool.web.Exchange.Raw;
import io.fengyu.contract.outbound.TargetPolicy;
import io.fengyu.contract.outbound.TargetPolicy.TargetRefusedException;
import io.vertx.core.Vertx;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/**
 * Reads what an address answers, over redirects, within a time for all of it. Every address on the
 * way is checked, and the checked one is connected to.
 */
@Singleton
class WebReader {

  /** What is said of addresses that nobody may have called for them. */
  static final String REFUSED = "private or local address refused";

  private static final Duration LONGEST = Duration.ofSeconds(25);
  private static final int MOST_REDIRECTS = 5;

  private final Exchange exchange;
  private final Targets targets;
  private final WebRules rules;
  private final Duration within;

  @Inject
  WebReader(Vertx vertx, TargetPolicy policy, WebRules rules) {
    this(vertx, policy::addresses, rules, LONGEST);
  }

  WebReader(Vertx vertx, Targets targets, WebRules rules, Duration within) {
    this.exchange = new Exchange(vertx);
    this.targets = targets;
    this.rules = rules;
    this.within = within;
  }

  /**
   * What is asked for.
   *
   * @param owner whose rules hold for redirects
   * @param privateAllowed true for an address of the operator; it holds for that host only
   */
  record Request(String owner, URI url, String accept, boolean privateAllowed) {}

  /** Checks an address that is not going to be called. */
  void check(URI url) throws TargetRefusedException, InterruptedException {
    targets.of(url, false);
  }

  Answer read(Request request) throws ToolException, InterruptedException {
    long deadline = System.nanoTime() + within.toNanos();
    var url = request.url();
    for (int redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
      var addresses = addresses(url, request.privateAllowed() && sameHost(url, request.url()));
      var raw = get(url, addresses, request.accept(), left(deadline));
      var location = raw.headers().get("Location");
      if (!redirects(raw.status()) || location == null) {
        return answer(url, raw);
      }
      url = next(request, url, location);
    }
    throw new ToolException("more than " + MOST_REDIRECTS + " redirects");
  }

  private static boolean redirects(int status) {
    return switch (status) {
      case 301, 302, 303, 307, 308 -> true;
      default -> false;
    };
  }

  private URI next(Request request, URI from, String location) throws ToolException {
    var to =
        WebAddress.resolve(from, location)
            .orElseThrow(
                () -> new ToolException("redirected to what is no web address: " + REFUSED));
    var rule = rules.restricting(request.owner(), to);
    if (rule.isPresent() && !rule.equals(rules.restricting(request.owner(), request.url()))) {
      throw new ToolException("redirected to " + to.getHost() + ", refused by rule " + rule.get());
    }
    return to;
  }

  private static boolean sameHost(URI one, URI other) {
    return one.getHost().equalsIgnoreCase(other.getHost())
        && TargetPolicy.port(one) == TargetPolicy.port(other);
  }

  private List<InetSocketAddress> addresses(URI url, boolean privateAllowed)
      throws ToolException, InterruptedException {
    try {
      return targets.of(url, privateAllowed);
    } catch (TargetRefusedException refused) {
      throw new ToolException(
          refused.unknownHost()
              ? String.valueOf(refused.getMessage())
              : url.getHost() + ": " + REFUSED);
    }
  }

  private Duration left(long deadline) throws ToolException {
    var left = Duration.ofNanos(deadline - System.nanoTime());
    if (left.isNegative() || left.isZero()) {
      throw tooLong();
    }
    return left;
  }

  private Raw get(URI url, List<InetSocketAddress> addresses, String accept, Duration left)
      throws ToolException, InterruptedException {
    try {
      return exchange.get(url, addresses, accept, left);
    } catch (TimeoutException late) {
      throw tooLong();
    } catch (ExecutionException notAnswered) {
      throw new ToolException(url.getHost() + " can't be reached, or broke off");
    }
  }

  private ToolException tooLong() {
    return new ToolException("no whole answer within " + within.toSeconds() + " s");
  }

  private static Answer answer(URI url, Raw raw) throws ToolException {
    var encoding = raw.headers().get("Content-Encoding");
    var body = Body.decoded(raw.body(), raw.cut(), encoding == null ? "" : encoding);
    return new Answer(
        url, raw.status(), raw.headers().get("Content-Type"), body.bytes(), body.cut());
  }
}
