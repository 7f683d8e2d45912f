package io.fengyu.contract.testing;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A real Postgres for the tests of a service, with the roles and schemas of production and the
 * usual test tokens. Found by itself: a module that depends on this one needs no annotation.
 */
public class PostgresResource implements QuarkusTestResourceLifecycleManager {

  /** Password of every role in tests. */
  public static final String PASSWORD = "test-password";

  /** Secret between services in tests. */
  public static final String INTERNAL_SECRET = "test-internal-secret-0123456789abcdef";

  /** Token of the owner {@code default}, who is admin. */
  public static final String ADMIN_TOKEN = "tok-admin";

  /** Token of the owner {@code alice}. */
  public static final String ALICE_TOKEN = "tok-alice";

  /** Token of the owner {@code bob}. */
  public static final String BOB_TOKEN = "tok-bob";

  @Override
  public Map<String, String> start() {
    var server = PostgresServer.shared();
    var config = new LinkedHashMap<String, String>();
    config.put("DB_HOST", server.host());
    config.put("DB_PORT", Integer.toString(server.port()));
    config.put("DB_NAME", PostgresServer.DATABASE);
    config.put("DB_PASSWORD", PASSWORD);
    config.put("DB_MIGRATE_USER", "fengyu_owner");
    config.put("DB_MIGRATE_PASSWORD", PASSWORD);
    config.put("FENGYU_TOKEN", ADMIN_TOKEN);
    config.put("FENGYU_TOKENS", "alice:" + ALICE_TOKEN + ",bob:" + BOB_TOKEN);
    config.put("INTERNAL_SERVICE_SECRET", INTERNAL_SECRET);
    config.put("FENGYU_MACHINE_KEY", "test-machine-key-0123456789abcdef");
    config.put("DATA_DIR", dataDirectory());
    config.put("TRUSTED_PROXIES", "127.0.0.1/32,::1/128");
    config.put("RATE_LIMIT_PER_MINUTE", "0");
    config.put("SHUTDOWN_DELAY", "0s");
    config.put("SHUTDOWN_TIMEOUT", "1s");
    config.put("quarkus.http.test-port", "0");
    return config;
  }

  /** The server stays for the other test classes of this process and ends with it. */
  @Override
  public void stop() {}

  private static String dataDirectory() {
    try {
      var target = Files.createDirectories(Path.of("target"));
      return Files.createTempDirectory(target, "data").toAbsolutePath().toString();
    } catch (IOException full) {
      throw new UncheckedIOException(full);
    }
  }
}
