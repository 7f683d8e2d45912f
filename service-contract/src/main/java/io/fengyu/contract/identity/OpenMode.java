package io.fengyu.contract.identity;

import io.fengyu.contract.db.Migrations;
import io.fengyu.contract.net.Cidrs;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.interceptor.Interceptor;
import java.time.Duration;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/**
 * A program without any token: on loopback everybody is the owner {@code default}; anywhere else it
 * does not start.
 */
@ApplicationScoped
class OpenMode {

  private static final Logger LOG = Logger.getLogger(OpenMode.class);
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final AuthenticationConfig config;
  private final FixedTokens fixed;
  private final StoredTokens stored;
  private final Migrations migrations;
  private final boolean loopback;

  OpenMode(
      AuthenticationConfig config,
      FixedTokens fixed,
      StoredTokens stored,
      Migrations migrations,
      @ConfigProperty(name = "quarkus.http.host") String host) {
    this.config = config;
    this.fixed = fixed;
    this.stored = stored;
    this.migrations = migrations;
    this.loopback = host.equals("localhost") || Cidrs.loopback(host);
  }

  void start(@Observes @Priority(Interceptor.Priority.LIBRARY_BEFORE) StartupEvent started) {
    if (!config.enabled() || !fixed.none()) {
      return;
    }
    if (loopback) {
      LOG.warn("No token is configured: everybody on this machine is the owner 'default'");
    } else if (migrations.complete() && !stored.exist().await().atMost(PATIENCE)) {
      throw new IllegalStateException(
          "FENGYU_TOKEN is not set and no user has a token, but HTTP_HOST is not loopback:"
              + " everybody could do everything. Set FENGYU_TOKEN.");
    }
  }

  /** Who comes without a credential; nobody as soon as there is a token. */
  Uni<Optional<Identity>> identity() {
    if (!loopback || !fixed.none()) {
      return Uni.createFrom().item(Optional.empty());
    }
    return stored
        .exist()
        .map(
            exist ->
                exist
                    ? Optional.empty()
                    : Optional.of(Identity.user(FixedTokens.DEFAULT_OWNER, true)));
  }
}
