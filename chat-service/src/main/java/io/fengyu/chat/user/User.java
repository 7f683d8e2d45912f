package io.fengyu.chat.user;

import java.time.Instant;

/**
 * An owner of data.
 *
 * @param role {@code user} or {@code admin}
 */
public record User(String id, String displayName, String role, Instant createdAt) {}
