package io.fengyu.chat.model.config;

import org.jspecify.annotations.Nullable;

/**
 * A model that a turn or a run may name.
 *
 * @param source {@code builtin} or {@code custom}
 * @param usable provider, address and credential are complete
 * @param reason why it is not usable, as a stable word; null when it is
 * @param apiKey masked; empty for none
 */
public record ModelEntry(
    String id,
    String mode,
    String model,
    String baseUrl,
    String source,
    boolean usable,
    @Nullable String reason,
    String apiKey,
    boolean apiKeySet) {}
