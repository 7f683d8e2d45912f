package io.fengyu.contract.health;

import io.fengyu.contract.db.Listener;
import io.fengyu.contract.db.Migrations;
import io.fengyu.contract.instance.Instances;
import io.fengyu.contract.net.Draining;
import jakarta.enterprise.context.ApplicationScoped;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/**
 * Ready when the process is not stopping, the tables are up to date and the database answers. Asks
 * nothing itself: heartbeats tell, and a probe costs no statement.
 */
@Readiness
@ApplicationScoped
class DatabaseReadiness implements HealthCheck {

  private final Migrations migrations;
  private final Listener listener;
  private final Instances instances;
  private final Draining draining;
  private final boolean database;

  DatabaseReadiness(
      Migrations migrations,
      Listener listener,
      Instances instances,
      Draining draining,
      @ConfigProperty(name = "fengyu.database.enabled", defaultValue = "true") boolean database) {
    this.migrations = migrations;
    this.listener = listener;
    this.instances = instances;
    this.draining = draining;
    this.database = database;
  }

  @Override
  public HealthCheckResponse call() {
    if (draining.begun()) {
      return HealthCheckResponse.down("draining");
    }
    if (!database) {
      return HealthCheckResponse.up("database");
    }
    var migrated = migrations.complete();
    var listening = listener.connected();
    var alive = instances.alive();
    return HealthCheckResponse.named("database")
        .status(migrated && listening && alive)
        .withData("migrated", migrated)
        .withData("listening", listening)
        .withData("heartbeat", alive)
        .build();
  }
}
