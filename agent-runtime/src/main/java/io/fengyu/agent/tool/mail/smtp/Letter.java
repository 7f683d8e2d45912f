package io.fengyu.agent.tool.mail.smtp;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One mail, ready to go.
 *
 * @param messageId without brackets; the same whenever the same mail is meant
 * @param plainText null for none; without both texts the mail has an empty one
 */
public record Letter(
    String messageId,
    Person from,
    List<Person> to,
    List<Person> cc,
    List<Person> bcc,
    String subject,
    @Nullable String plainText,
    @Nullable String htmlText,
    List<Enclosure> enclosures,
    Instant date) {

  /**
   * Somebody in a header.
   *
   * @param name empty for none
   */
  public record Person(String name, String email) {}

  /** A file that goes along under a name. */
  public record Enclosure(String name, Path file) {}

  List<String> recipients() {
    return Stream.of(to, cc, bcc).flatMap(List::stream).map(Person::email).distinct().toList();
  }
}
