package io.fengyu.chat.user;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A token as it is listed; its value was shown once and is not kept.
 *
 * @param expiresAt null for a token that does not expire
 */
public record UserToken(
    UUID tokenId, String label, Instant createdAt, @Nullable Instant expiresAt) {}
