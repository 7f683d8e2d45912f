package io.fengyu.agent.approval;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How far a reader is.
 *
 * @param position the last event the reader has, or will have after the listing
 * @param listing where the listing of what is open goes on; null after it
 */
record InboxPlace(long position, @Nullable GateCursor listing) {

  static InboxPlace behind(long position) {
    return new InboxPlace(position, null);
  }

  static InboxPlace fresh(long position) {
    return new InboxPlace(position, GateCursor.of(null));
  }

  InboxPlace on(GateCursor next) {
    return new InboxPlace(position, next);
  }

  /** True at the beginning of the listing. */
  boolean first() {
    return listing != null && listing.openedAt().equals(Instant.EPOCH);
  }
}
