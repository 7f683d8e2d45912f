package io.fengyu.launcher;

import io.fengyu.contract.db.DatabaseBootstrap;
import java.sql.SQLException;
import java.util.function.UnaryOperator;

/** Database, roles and schemas of the services, with the passwords of the data directory. */
final class DatabaseSetup {

  static final String DATABASE = "fengyu";

  private DatabaseSetup() {}

  static void run(int port, DataDirectory directory) throws SQLException {
    DatabaseBootstrap.run(
        "jdbc:postgresql://127.0.0.1:" + port + "/postgres",
        Postgres.ADMIN,
        directory.secret("db.postgres"),
        DATABASE,
        role -> directory.secret("db." + role));
  }

  /** What would be run; changes with the schemas and with the passwords. */
  static String script(UnaryOperator<String> secret) {
    return DatabaseBootstrap.script(role -> secret.apply("db." + role));
  }
}
