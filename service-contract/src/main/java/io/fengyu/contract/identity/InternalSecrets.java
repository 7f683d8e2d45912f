package io.fengyu.contract.identity;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The secret that proves a call to come from another service; two of them during a rotation. */
@ApplicationScoped
class InternalSecrets {

  static final int MIN_LENGTH = 32;

  private final List<Digest> digests;

  InternalSecrets(AuthenticationConfig config) {
    digests =
        Stream.of(config.internalSecret(), config.previousInternalSecret())
            .flatMap(Optional::stream)
            .filter(secret -> !secret.isBlank())
            .map(InternalSecrets::checked)
            .map(Digest::of)
            .toList();
  }

  boolean none() {
    return digests.isEmpty();
  }

  boolean valid(String secret) {
    var digest = Digest.of(secret);
    var valid = false;
    for (var candidate : digests) {
      valid |= candidate.equals(digest);
    }
    return valid;
  }

  private static String checked(String secret) {
    if (secret.length() < MIN_LENGTH) {
      throw new IllegalArgumentException(
          "INTERNAL_SERVICE_SECRET must have at least " + MIN_LENGTH + " characters");
    }
    return secret;
  }
}
