package io.fengyu.agent.tool.mail;

import io.vertx.mutiny.sqlclient.Row;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Where an owner sends from.
 *
 * @param secretKey part of what the password is sealed for
 * @param security {@code none}, {@code starttls} or {@code tls}
 * @param username null when nobody logs in
 * @param sealed the password; null for none
 */
record Account(
    long id,
    String owner,
    UUID secretKey,
    String displayName,
    String email,
    String host,
    int port,
    String security,
    @Nullable String username,
    @Nullable String sealed) {

  static Account of(Row row) {
    return new Account(
        row.getLong("id"),
        row.getString("owner"),
        row.getUUID("secret_key"),
        row.getString("display_name"),
        row.getString("email"),
        row.getString("host"),
        row.getInteger("port"),
        row.getString("security"),
        row.getString("username"),
        row.getString("sealed"));
  }

  Account sealed(@Nullable String password) {
    return new Account(
        id, owner, secretKey, displayName, email, host, port, security, username, password);
  }

  @Override
  public String toString() {
    return "Account[" + id + " " + email + "]";
  }

  /**
   * An account as its owner sees it.
   *
   * @param passwordConfigured true when a password is stored that can still be read
   */
  public record View(
      long id,
      String displayName,
      String email,
      String host,
      int port,
      String security,
      @Nullable String username,
      boolean passwordConfigured) {}
}
