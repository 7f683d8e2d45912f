package io.fengyu.agent.tool.mail;

import io.vertx.mutiny.sqlclient.Row;

/** A group of contacts. */
public record Tag(long id, String name) {

  static Tag of(Row row) {
    return new Tag(row.getLong("id"), row.getString("name"));
  }
}
