package io.fengyu.contract.health;

import io.fengyu.contract.db.Listener;
import io.fengyu.contract.db.Migrations;
import io.fengyu.contract.instance.Instances;
import jakarta.enterprise.context.ApplicationScoped;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/**
 * Ready when the tables are up to date and the database answers. Asks nothing itself: heartbeats
 * tell, and a probe costs no statement.
 */
@Readiness
@ApplicationScoped
class DatabaseReadiness implements HealthCheck {

  private final Migrations migrations;
  private final Listener listener;
  private final Instances instances;
  private final boolean database;

  DatabaseReadiness(
      Migrations migrations,
      Listener listener,
      Instances instances,
      @ConfigProperty(name = "fengyu.database.enabled", defaultValue = "true") boolean database) {
    this.migrations = migrations;
    this.listener = listener;
    this.instances = instances;
    this.database = database;
  }

  @Override
  public HealthCheckResponse call() {
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
