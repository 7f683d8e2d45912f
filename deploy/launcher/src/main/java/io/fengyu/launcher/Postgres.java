package io.fengyu.launcher;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** The embedded database: its files, its settings and how it is started. */
final class Postgres {

  static final String ADMIN = "postgres";

  private final Path binaries;
  private final Path folder;
  private final Path data;
  private final DataDirectory directory;
  private final PostgresUser user;
  private final Helper helper;

  Postgres(DataDirectory directory, Path home, Helper helper) {
    this.directory = directory;
    this.helper = helper;
    this.binaries = PostgresFiles.unpacked(home, helper);
    this.folder = directory.root().resolve("postgres");
    this.data = folder.resolve("data");
    this.user = PostgresUser.choose(List.of(binaries, directory.root()));
  }

  /** Makes the data directory ready: creates it, or checks that this version can use it. */
  void prepare() {
    try {
      Files.createDirectories(folder);
      if (Files.exists(data.resolve("PG_VERSION"))) {
        checkVersion();
        removeStaleLock();
        user.own(folder);
      } else {
        create();
      }
    } catch (IOException unusable) {
      throw new LaunchException("Cannot use " + folder + ": " + unusable, unusable);
    }
  }

  /** Small, safe and quiet: made for one machine that does other things too. */
  List<String> command(int port) {
    var command = new ArrayList<>(user.prefix());
    command.addAll(List.of(binaries.resolve("bin/postgres").toString(), "-D", data.toString()));
    for (var setting :
        List.of(
            "port=" + port,
            "listen_addresses=127.0.0.1",
            "unix_socket_directories=",
            "password_encryption=scram-sha-256",
            "max_connections=120",
            "shared_buffers=64MB",
            "work_mem=4MB",
            "maintenance_work_mem=32MB",
            "effective_cache_size=512MB",
            "wal_buffers=4MB",
            "min_wal_size=64MB",
            "max_wal_size=512MB",
            "fsync=on",
            "synchronous_commit=on",
            "full_page_writes=on",
            "jit=off",
            "autovacuum_naptime=60s",
            "autovacuum_max_workers=2",
            "max_parallel_workers=2",
            "max_logical_replication_workers=0",
            "bgwriter_delay=1s",
            "wal_writer_delay=200ms",
            "checkpoint_timeout=15min",
            "random_page_cost=1.1",
            "log_min_messages=warning",
            "log_line_prefix=%m [%p] ",
            "timezone=UTC",
            "log_timezone=UTC")) {
      command.add("-c");
      command.add(setting);
    }
    return command;
  }

  /** Creates database, roles and schemas when they, or their passwords, may have changed. */
  void bootstrap(int port) {
    var marker = folder.resolve("bootstrapped");
    var wanted = digest(DatabaseSetup.script(directory::secret));
    try {
      if (Files.exists(marker) && Files.readString(marker).strip().equals(wanted)) {
        return;
      }
      helper.run("set-up-database", List.of(Integer.toString(port), directory.root().toString()));
      Files.writeString(marker, wanted + "\n");
    } catch (IOException unwritable) {
      throw new UncheckedIOException(unwritable);
    }
  }

  private void create() throws IOException {
    var password = folder.resolve("password");
    DataDirectory.writePrivate(password, directory.secret("db.postgres") + "\n");
    user.own(folder);
    var command = new ArrayList<>(user.prefix());
    command.addAll(
        List.of(
            binaries.resolve("bin/initdb").toString(),
            "--pgdata=" + data,
            "--username=" + ADMIN,
            "--pwfile=" + password,
            "--auth=scram-sha-256",
            "--encoding=UTF8",
            "--locale=C",
            "--locale-provider=builtin",
            "--builtin-locale=C.UTF-8"));
    Shell.run(command, "Creating the database in " + data);
    Files.delete(password);
  }

  private void checkVersion() throws IOException {
    var has = Files.readString(data.resolve("PG_VERSION")).strip();
    var needs = PostgresFiles.MAJOR;
    if (!has.equals(needs)) {
      throw new LaunchException(
          "The data directory "
              + directory.root()
              + " belongs to Postgres "
              + has
              + ", this is Postgres "
              + needs
              + ": choose another one with --data-dir, or move the data with pg_dump");
    }
  }

  /** Whoever wrote it is gone or an orphan, because this launcher holds the directory's lock. */
  private void removeStaleLock() throws IOException {
    var file = data.resolve("postmaster.pid");
    if (!Files.exists(file)) {
      return;
    }
    var pid = Long.parseLong(Files.readAllLines(file).getFirst().strip());
    var process = ProcessHandle.of(pid).filter(Postgres::isPostgres);
    if (process.isPresent()) {
      Shell.signal("INT", pid);
      process.get().onExit().orTimeout(10, java.util.concurrent.TimeUnit.SECONDS).join();
    }
    Files.deleteIfExists(file);
  }

  private static boolean isPostgres(ProcessHandle process) {
    return process.info().command().orElse("").endsWith("/postgres");
  }

  private static String digest(String text) {
    try {
      var sha = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(sha.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException absent) {
      throw new IllegalStateException(absent);
    }
  }
}
