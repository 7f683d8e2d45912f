package io.fengyu.agent.capability;

import io.fengyu.contract.capability.Capability;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** What runs can do here. */
@ApplicationScoped
class RunCapabilities {

  private final boolean cancel;
  private final Optional<String> internalSecret;

  RunCapabilities(
      @ConfigProperty(name = "fengyu.runs.cancel-enabled") boolean cancel,
      @ConfigProperty(name = "fengyu.authentication.internal-secret") Optional<String> secret) {
    this.cancel = cancel;
    this.internalSecret = secret;
  }

  void start(@Observes StartupEvent started) {
    if (cancel && internalSecret.isEmpty()) {
      throw new IllegalStateException(
          "AGENT_RUN_CANCEL_ENABLED is true, which needs INTERNAL_SERVICE_SECRET");
    }
  }

  @Produces
  @Singleton
  Capability runCancel() {
    return Capability.of(Offer.RUN_CANCEL.wire(), cancel);
  }

  @Produces
  @Singleton
  Capability jobCancel() {
    return Capability.of(Offer.JOB_CANCEL.wire(), cancel);
  }

  /** Streams are reads of the journal, so they can always be replayed. */
  @Produces
  @Singleton
  static Capability replay() {
    return Capability.of(Offer.SSE_REPLAY.wire(), true);
  }
}
