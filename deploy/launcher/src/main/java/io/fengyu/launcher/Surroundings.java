package io.fengyu.launcher;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.IntSupplier;

/**
 * What a service finds in its environment. Whatever the user has set passes through; the launcher
 * adds what makes the processes of one machine a system.
 */
final class Surroundings {

  /** True in the environment when the database is somebody else's. */
  static final boolean FOREIGN_DATABASE = isSet("DB_HOST");

  private final DataDirectory directory;
  private final Path home;
  private final Path java;
  private final String token;
  private final boolean training;
  private final IntSupplier databasePort;
  private final Function<Service, List<String>> addresses;

  Surroundings(
      DataDirectory directory,
      Path home,
      Path java,
      String token,
      boolean training,
      IntSupplier databasePort,
      Function<Service, List<String>> addresses) {
    this.directory = directory;
    this.home = home;
    this.java = java;
    this.token = token;
    this.training = training;
    this.databasePort = databasePort;
    this.addresses = addresses;
  }

  // Java takes the encoding of file names from the locale; a plain C one has no names like 华东.xlsx.
  ProcessBuilder process(Service service, int number, int port) {
    var command = new java.util.ArrayList<>(PostgresUser.detached());
    command.addAll(service.command(home, java, training));
    var builder = new ProcessBuilder(command).directory(directory.root().toFile());
    var environment = builder.environment();
    defaults(service).forEach(environment::putIfAbsent);
    environment.putAll(fixed(service, port));
    manage(environment, service, number);
    if (!"UTF-8".equalsIgnoreCase(System.getProperty("sun.jnu.encoding"))) {
      environment.put("LC_ALL", "C.UTF-8");
    }
    return builder;
  }

  /** On one machine each program needs a port of its own: the wanted one and those after it. */
  private static void manage(Map<String, String> environment, Service service, int number) {
    var wanted = environment.remove("MANAGEMENT_PORT");
    if (wanted != null && wanted.matches("[0-9]{1,5}") && number == 1) {
      var port = Integer.parseInt(wanted) + List.of(Service.values()).indexOf(service);
      environment.put("MANAGEMENT_PORT", Integer.toString(port));
    }
  }

  private Map<String, String> defaults(Service service) {
    var defaults = new TreeMap<String, String>();
    defaults.put("PROFILE", "workstation");
    defaults.put("INTERNAL_SERVICE_SECRET", directory.secret("internal"));
    defaults.put("FENGYU_MACHINE_KEY", directory.secret("machine-key"));
    defaults.put("AGENT_RUN_CANCEL_ENABLED", "true");
    defaults.put("EDIT_LATEST_TURN_ENABLED", "true");
    defaults.put("RATE_LIMIT_PER_MINUTE", "0");
    defaults.put("TRUSTED_PROXIES", "127.0.0.1/32,::1/128");
    defaults.put("DATA_DIR", directory.root().resolve("files").toString());
    defaults.put("SHUTDOWN_DELAY", "0s");
    defaults.put("SHUTDOWN_TIMEOUT", "5s");
    defaults.put("DB_POOL_SIZE", "10");
    defaults.put("HTTP_HOST", "127.0.0.1");
    defaults.put("LOG_JSON", "false");
    defaults.put("MALLOC_ARENA_MAX", "1");
    if (service != Service.AGENT) {
      defaults.put("MALLOC_TRIM_THRESHOLD_", "131072");
    }
    return defaults;
  }

  private Map<String, String> fixed(Service service, int port) {
    var fixed = new TreeMap<String, String>();
    fixed.put("HTTP_PORT", Integer.toString(port));
    fixed.put("FENGYU_TOKEN", token);
    fixed.put("INTERNAL_TLS", "false"); // nothing leaves this machine
    if (service != Service.EDGE) {
      fixed.put("HTTP_HOST", "127.0.0.1");
    }
    for (var each : Service.values()) {
      if (each != Service.EDGE) {
        fixed.put(
            each.key().toUpperCase(Locale.ROOT) + "_URL", String.join(",", addresses.apply(each)));
      }
    }
    if (!FOREIGN_DATABASE && service.schema() != null) {
      fixed.putAll(database("fengyu_" + service.schema()));
    }
    return fixed;
  }

  private Map<String, String> database(String role) {
    return Map.of(
        "DB_HOST",
        "127.0.0.1",
        "DB_PORT",
        Integer.toString(databasePort.getAsInt()),
        "DB_NAME",
        DatabaseSetup.DATABASE,
        "DB_USER",
        role,
        "DB_PASSWORD",
        directory.secret("db." + role),
        "DB_MIGRATE_USER",
        "fengyu_owner",
        "DB_MIGRATE_PASSWORD",
        directory.secret("db.fengyu_owner"));
  }

  private static boolean isSet(String variable) {
    return !System.getenv().getOrDefault(variable, "").isBlank();
  }
}
