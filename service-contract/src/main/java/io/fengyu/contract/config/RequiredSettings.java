package io.fengyu.contract.config;

import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.interceptor.Interceptor;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Stops the start with a clear line when a secret is missing that the service cannot be without.
 */
@ApplicationScoped
class RequiredSettings {

  private static final int SHORTEST_KEY = 16;
  private static final int SHORTEST_SECRET = 32;
  private static final String WORKSTATION = "workstation";

  private final Optional<String> internalSecret;
  private final Optional<String> machineKey;
  private final String profile;

  RequiredSettings(
      @ConfigProperty(name = "fengyu.authentication.internal-secret") Optional<String> internal,
      @ConfigProperty(name = "fengyu.machine-key") Optional<String> machineKey,
      @ConfigProperty(name = "fengyu.profile") String profile) {
    this.internalSecret = internal;
    this.machineKey = machineKey;
    this.profile = profile;
  }

  void start(@Observes @Priority(Interceptor.Priority.PLATFORM_BEFORE - 2) StartupEvent started) {
    if (!profile.equals("server") && !profile.equals(WORKSTATION)) {
      throw new IllegalStateException("PROFILE must be server or workstation");
    }
    if (internalSecret.isEmpty()) {
      throw new IllegalStateException("INTERNAL_SERVICE_SECRET is not set");
    }
    if (internalSecret.get().length() < SHORTEST_SECRET) {
      throw new IllegalStateException(
          "INTERNAL_SERVICE_SECRET must have at least " + SHORTEST_SECRET + " characters");
    }
    if (machineKey.isEmpty() && !profile.equals(WORKSTATION)) {
      throw new IllegalStateException("FENGYU_MACHINE_KEY is not set");
    }
    if (machineKey.filter(key -> key.length() < SHORTEST_KEY).isPresent()) {
      throw new IllegalStateException(
          "FENGYU_MACHINE_KEY must have at least " + SHORTEST_KEY + " characters");
    }
  }
}
