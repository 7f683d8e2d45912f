package io.fengyu.agent.setting;

import io.fengyu.agent.setting.Settings.Deployment;
import io.fengyu.agent.setting.Settings.Own;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Settings in the database. Whoever writes says so to all replicas in the same statement. */
@ApplicationScoped
class SettingsStore {

  /** Announces whose settings changed; nobody's name for everybody's. */
  static final String CHANNEL = "fengyu_settings";

  private static final Duration PATIENCE = Duration.ofSeconds(5);

  // The primary key, and the index owner_setting_of_admins.
  private static final String READ =
      """
      SELECT owner, permission_rules, rules_by_admin, hooks, hooks_by_admin, memory_enabled,
             theme, language, budget
        FROM agent.owner_setting
       WHERE owner = $1
       UNION ALL
      SELECT owner, permission_rules, rules_by_admin, hooks, hooks_by_admin, memory_enabled,
             theme, language, budget
        FROM agent.owner_setting
       WHERE (rules_by_admin OR hooks_by_admin) AND owner <> $1""";

  private static final String READ_DEPLOYMENT =
      "SELECT computer_use_enabled, unsandboxed_plugins, log_level FROM agent.deployment_setting";

  private static final String SAVE_RULES =
      """
      WITH saved AS (
        INSERT INTO agent.owner_setting AS s (owner, permission_rules, rules_by_admin)
        VALUES ($1, $2, $3)
        ON CONFLICT (owner) DO UPDATE
           SET permission_rules = $2, rules_by_admin = $3, updated_at = now()
        RETURNING 1)
      SELECT pg_notify('fengyu_settings', '') FROM saved""";

  private static final String SAVE_HOOKS =
      """
      WITH saved AS (
        INSERT INTO agent.owner_setting AS s (owner, hooks, hooks_by_admin)
        VALUES ($1, $2, $3)
        ON CONFLICT (owner) DO UPDATE
           SET hooks = $2, hooks_by_admin = $3, updated_at = now()
        RETURNING 1)
      SELECT pg_notify('fengyu_settings', '') FROM saved""";

  // Null keeps what there is.
  private static final String CHANGE =
      """
      WITH saved AS (
        INSERT INTO agent.owner_setting AS s (owner, memory_enabled, theme, language, budget)
        VALUES ($1, coalesce($2, false), $3, $4, $5)
        ON CONFLICT (owner) DO UPDATE
           SET memory_enabled = coalesce($2, s.memory_enabled),
               theme = coalesce($3, s.theme),
               language = coalesce($4, s.language),
               budget = coalesce($5, s.budget),
               updated_at = now()
        RETURNING 1)
      SELECT pg_notify('fengyu_settings', $1) FROM saved""";

  private static final String CHANGE_DEPLOYMENT =
      """
      WITH saved AS (
        INSERT INTO agent.deployment_setting AS d
               (computer_use_enabled, unsandboxed_plugins, log_level)
        VALUES (coalesce($1, true), coalesce($2, false), $3)
        ON CONFLICT (only_row) DO UPDATE
           SET computer_use_enabled = coalesce($1, d.computer_use_enabled),
               unsandboxed_plugins = coalesce($2, d.unsandboxed_plugins),
               log_level = coalesce($3, d.log_level),
               updated_at = now()
        RETURNING 1)
      SELECT pg_notify('fengyu_settings', '') FROM saved""";

  private final Pool pool;

  SettingsStore(Pool pool) {
    this.pool = pool;
  }

  Uni<Settings> read(String owner) {
    return Uni.combine()
        .all()
        .unis(
            pool.preparedQuery(READ).execute(Tuple.of(owner)),
            pool.preparedQuery(READ_DEPLOYMENT).execute())
        .with((rows, deployment) -> settings(owner, rows, deployment(deployment)))
        .ifNoItem()
        .after(PATIENCE)
        .fail();
  }

  Uni<Deployment> deployment() {
    return pool.preparedQuery(READ_DEPLOYMENT)
        .execute()
        .map(SettingsStore::deployment)
        .ifNoItem()
        .after(PATIENCE)
        .fail();
  }

  Uni<Void> saveRules(String owner, String rules, boolean byAdmin) {
    return write(SAVE_RULES, Tuple.of(owner, rules, byAdmin));
  }

  Uni<Void> saveHooks(String owner, String hooks, boolean byAdmin) {
    return write(SAVE_HOOKS, Tuple.of(owner, hooks, byAdmin));
  }

  /** Changes what is not null. */
  Uni<Void> change(
      String owner,
      @Nullable Boolean memoryEnabled,
      @Nullable String theme,
      @Nullable String language,
      @Nullable String budget) {
    return write(CHANGE, Tuple.of(owner, memoryEnabled, theme, language, budget));
  }

  /** Changes what is not null. */
  Uni<Void> changeDeployment(
      @Nullable Boolean computerUseEnabled,
      @Nullable Boolean unsandboxedPlugins,
      @Nullable String logLevel) {
    return write(CHANGE_DEPLOYMENT, Tuple.of(computerUseEnabled, unsandboxedPlugins, logLevel));
  }

  private Uni<Void> write(String sql, Tuple values) {
    return pool.preparedQuery(sql)
        .execute(values)
        .ifNoItem()
        .after(PATIENCE)
        .fail()
        .replaceWithVoid();
  }

  private static Settings settings(String owner, RowSet<Row> rows, Deployment deployment) {
    var own = Own.none(owner);
    List<Own> byAdmins = new ArrayList<>();
    for (var row : rows) {
      var found = own(row);
      own = found.owner().equals(owner) ? found : own;
      if (found.rulesByAdmin() || found.hooksByAdmin()) {
        byAdmins.add(found);
      }
    }
    return new Settings(own, List.copyOf(byAdmins), deployment);
  }

  private static Deployment deployment(RowSet<Row> rows) {
    for (var row : rows) {
      return new Deployment(
          row.getBoolean("computer_use_enabled"),
          row.getBoolean("unsandboxed_plugins"),
          row.getString("log_level"));
    }
    return Deployment.STANDARD;
  }

  private static Own own(Row row) {
    return new Own(
        row.getString("owner"),
        row.getString("permission_rules"),
        row.getBoolean("rules_by_admin"),
        row.getString("hooks"),
        row.getBoolean("hooks_by_admin"),
        row.getBoolean("memory_enabled"),
        row.getString("theme"),
        row.getString("language"),
        row.getString("budget"));
  }
}
