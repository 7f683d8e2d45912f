package io.fengyu.contract.identity;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The tokens that the environment brings, and the owners they stand for. */
@ApplicationScoped
public class FixedTokens {

  static final String DEFAULT_OWNER = "default";

  private record Known(Digest digest, Identity identity) {}

  private final List<Known> known;

  FixedTokens(AuthenticationConfig config) {
    var all = new ArrayList<Known>();
    config
        .token()
        .filter(token -> !token.isBlank())
        .ifPresent(
            token -> all.add(new Known(Digest.of(token), Identity.user(DEFAULT_OWNER, true))));
    config.tokens().ifPresent(tokens -> parseInto(tokens, all));
    known = List.copyOf(all);
  }

  boolean none() {
    return known.isEmpty();
  }

  /** True for an owner whom the environment names; such a one is not made at run time. */
  public boolean owns(String id) {
    return id.equals(DEFAULT_OWNER)
        || known.stream().anyMatch(token -> token.identity.owner().equals(id));
  }

  /** Compares with every token, so that the time taken tells nothing about which one came close. */
  @Nullable Identity find(Digest digest) {
    Identity found = null;
    for (var candidate : known) {
      if (candidate.digest.equals(digest)) {
        found = candidate.identity;
      }
    }
    return found;
  }

  private static void parseInto(String tokens, List<Known> all) {
    for (var pair : tokens.split(",", -1)) {
      if (pair.isBlank()) {
        continue;
      }
      var colon = pair.indexOf(':');
      if (colon < 1 || colon == pair.length() - 1) {
        throw new IllegalArgumentException("FENGYU_TOKENS must look like alice:tokenA,bob:tokenB");
      }
      var owner = pair.substring(0, colon).strip();
      var token = pair.substring(colon + 1).strip();
      all.add(new Known(Digest.of(token), Identity.user(owner, false)));
    }
  }
}
