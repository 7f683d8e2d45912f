package io.fengyu.agent.tool.mail;

import io.vertx.mutiny.sqlclient.Row;
import java.util.List;

/** Somebody an owner writes to. */
public record Contact(long id, String name, String email, List<Long> tagIds) {

  static Contact of(Row row) {
    return new Contact(
        row.getLong("id"),
        row.getString("name"),
        row.getString("email"),
        List.of(row.getArrayOfLongs("tag_ids")));
  }

  Address address() {
    return new Address(name, email);
  }
}
