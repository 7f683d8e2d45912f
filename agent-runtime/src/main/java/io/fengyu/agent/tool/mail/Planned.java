package io.fengyu.agent.tool.mail;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One mail of a sending as it was prepared: who gets it, and which files go along.
 *
 * @param tag the group that its files belong to; null for a mail of its own
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record Planned(
    @Nullable String tag,
    List<Address> to,
    List<Address> cc,
    List<Address> bcc,
    List<Attached> attachments) {

  /**
   * A file as it was when the mail was prepared.
   *
   * @param name under which it arrives
   * @param location where it was, as places are stored
   */
  record Attached(String name, String location, long size, String sha256) {}

  @JsonIgnore
  List<String> recipients() {
    return Stream.of(to, cc, bcc).flatMap(List::stream).map(Address::email).toList();
  }
}
