package io.fengyu.chat.conversation;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The entity tags of an {@code If-Match} header (RFC 9110, section 13.1.1). */
record Revisions(Set<String> tags) {

  /** Null for no header: whoever writes last wins. */
  static @Nullable Revisions read(@Nullable String header) {
    if (header == null) {
      return null;
    }
    return new Revisions(
        Arrays.stream(header.split(",")).map(String::strip).collect(Collectors.toSet()));
  }

  /** The strong tag of a revision. */
  static String tag(long revision) {
    return '"' + Long.toString(revision) + '"';
  }

  boolean include(long revision) {
    return tags.contains("*") || tags.contains(tag(revision));
  }
}
