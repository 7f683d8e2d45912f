package io.fengyu.contract.identity;

import io.fengyu.contract.net.ClientAddress;
import io.fengyu.contract.problem.Problem;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpServerRequest;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds out who calls. */
@ApplicationScoped
class Authentication {

  private static final String NO_OWNER = "";

  private final FixedTokens fixed;
  private final StoredTokens stored;
  private final StreamTickets tickets;
  private final InternalSecrets secrets;
  private final OpenMode open;
  private final Rates rates;
  private final ClientAddress address;

  Authentication(
      FixedTokens fixed,
      StoredTokens stored,
      StreamTickets tickets,
      InternalSecrets secrets,
      OpenMode open,
      Rates rates,
      ClientAddress address) {
    this.fixed = fixed;
    this.stored = stored;
    this.tickets = tickets;
    this.secrets = secrets;
    this.open = open;
    this.rates = rates;
    this.address = address;
  }

  /** A service, or nobody: user tokens don't count here. */
  Uni<Identity> service(HttpServerRequest request) {
    var identity = fromService(request);
    return identity == null
        ? refused(request, "INTERNAL_UNAUTHENTICATED")
        : Uni.createFrom().item(identity);
  }

  /** A service on somebody's behalf, or a user. */
  Uni<Identity> caller(HttpServerRequest request, String path) {
    var service = fromService(request);
    if (service != null) {
      return Uni.createFrom().item(service);
    }
    return user(Credentials.of(request, path))
        .chain(
            found ->
                found
                    .map(identity -> Uni.createFrom().item(identity))
                    .orElseGet(() -> refused(request, "UNAUTHENTICATED")))
        .invoke(identity -> rates.admit(identity.owner()));
  }

  private Uni<Optional<Identity>> user(Credentials credentials) {
    return switch (credentials) {
      case Credentials.Token(var token) -> byToken(Digest.of(token));
      case Credentials.Ticket(var ticket, var endpoint) -> tickets.redeem(ticket, endpoint);
      case Credentials.None() -> open.identity();
    };
  }

  private Uni<Optional<Identity>> byToken(Digest digest) {
    var known = fixed.find(digest);
    return known == null ? stored.find(digest) : Uni.createFrom().item(Optional.of(known));
  }

  private @Nullable Identity fromService(HttpServerRequest request) {
    var secret = request.getHeader("X-Internal-Secret");
    if (secret == null || !secrets.valid(secret)) {
      return null;
    }
    var owner = request.getHeader("X-User-ID");
    return new Identity(
        owner == null ? NO_OWNER : owner,
        false,
        true,
        request.getHeader("X-Session-ID"),
        request.getHeader("X-Run-ID"),
        request.getHeader("X-Operation-ID"));
  }

  private Uni<Identity> refused(HttpServerRequest request, String code) {
    return Uni.createFrom().failure(rates.failed(address.of(request), Problem.of(401, code)));
  }
}
