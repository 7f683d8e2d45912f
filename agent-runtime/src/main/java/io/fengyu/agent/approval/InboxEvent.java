package io.fengyu.agent.approval;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Something opened or closed.
 *
 * @param position contiguous for an owner
 * @param outcome what it was closed with; null for an opening
 */
record InboxEvent(
    long position,
    String source,
    String subject,
    String gateId,
    String type,
    @Nullable String outcome,
    Instant at) {

  boolean opening() {
    return type.equals("opened");
  }
}
