package io.fengyu.agent.canary;

import io.fengyu.contract.testing.PostgresResource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.config.ConfigProvider;

/** Every row of every table of every schema, every file, and whatever else is added. */
final class Everything {

  private final Map<String, String> texts = new LinkedHashMap<>();

  static Everything kept() throws IOException, SQLException {
    var all = new Everything();
    all.tables();
    all.files(Path.of(config("DATA_DIR")));
    return all;
  }

  private static String config(String name) {
    return ConfigProvider.getConfig().getValue(name, String.class);
  }

  private void tables() throws SQLException {
    var url =
        "jdbc:postgresql://"
            + config("DB_HOST")
            + ":"
            + config("DB_PORT")
            + "/"
            + config("DB_NAME");
    try (var database =
        DriverManager.getConnection(url, "fengyu_owner", PostgresResource.PASSWORD)) {
      for (var table : names(database)) {
        texts.put("table " + table, rows(database, table));
      }
    }
  }

  private static List<String> names(Connection database) throws SQLException {
    var names = new ArrayList<String>();
    try (var query = database.createStatement();
        var rows =
            query.executeQuery(
                "SELECT quote_ident(table_schema) || '.' || quote_ident(table_name)"
                    + " FROM information_schema.tables WHERE table_type = 'BASE TABLE'"
                    + " AND table_schema NOT IN ('pg_catalog', 'information_schema')")) {
      while (rows.next()) {
        names.add(rows.getString(1));
      }
    }
    return names;
  }

  private static String rows(Connection database, String table) throws SQLException {
    var text = new StringBuilder();
    try (var query = database.createStatement();
        var rows = query.executeQuery("SELECT t::text FROM " + table + " t")) {
      while (rows.next()) {
        text.append(rows.getString(1)).append('\n');
      }
    }
    return text.toString();
  }

  private void files(Path data) throws IOException {
    try (var walk = Files.walk(data)) {
      walk.filter(Files::isRegularFile)
          .forEach(file -> texts.put("file " + data.relativize(file), read(file)));
    }
  }

  private static String read(Path file) {
    try {
      return Files.size(file) > 1_000_000
          ? ""
          : Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (NoSuchFileException gone) {
      return "";
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  void add(String place, String text) {
    texts.merge(place, text, String::concat);
  }

  boolean has(String place, String text) {
    return texts.entrySet().stream()
        .anyMatch(each -> each.getKey().contains(place) && each.getValue().contains(text));
  }

  /** Where a secret lies open, also encoded as programs like to. */
  List<String> placesOf(String secret) {
    var bytes = secret.getBytes(StandardCharsets.UTF_8);
    var forms = new ArrayList<>(inBase64(bytes));
    forms.add(secret);
    forms.add(HexFormat.of().formatHex(bytes));
    return texts.entrySet().stream()
        .filter(text -> forms.stream().anyMatch(text.getValue()::contains))
        .map(Map.Entry::getKey)
        .toList();
  }

  // A secret inside of something longer begins at any of three places of a group.
  private static List<String> inBase64(byte[] bytes) {
    var forms = new ArrayList<String>();
    for (int skip = 0; skip < 3; skip++) {
      var shifted = new byte[bytes.length - skip - (bytes.length - skip) % 3];
      System.arraycopy(bytes, skip, shifted, 0, shifted.length);
      forms.add(Base64.getEncoder().encodeToString(shifted));
    }
    return forms;
  }
}
