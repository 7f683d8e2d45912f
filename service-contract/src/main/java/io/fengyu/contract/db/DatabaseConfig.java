package io.fengyu.contract.db;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.Optional;

/** Where the service's data live. */
@ConfigMapping(prefix = "fengyu.database")
interface DatabaseConfig {

  /** False only for a program without tables of its own, such as the edge. */
  @WithDefault("true")
  boolean enabled();

  /** Schema of the service; its migrations are the files of {@code db/migration}. */
  Optional<String> schema();

  /** Address for the reactive client. */
  String uri();

  /** JDBC address, used while migrating only. */
  String jdbcUrl();

  /** Who reads and writes rows. */
  String user();

  /** That role's password. */
  Optional<String> password();

  /** False leaves migrating to somebody else; the service waits for it, not ready. */
  @WithDefault("true")
  boolean migrate();

  /** Who migrates; the runtime role when absent. */
  Optional<String> migrateUser();

  /** That role's password; the runtime role's when absent. */
  Optional<String> migratePassword();

  /** Pause between attempts while the database is away. */
  @WithDefault("2s")
  Duration retryAfter();
}
