package io.fengyu.webhook.trigger;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A trigger as its owner sees it.
 *
 * @param defaultInputKeys names only; values are not shown
 * @param secret in the answers of creation and rotation, and nowhere else
 */
record TriggerView(
    @JsonProperty("triggerId") UUID triggerId,
    @JsonProperty("workflowId") String workflowId,
    @JsonProperty("name") String name,
    @JsonProperty("endpoint") String endpoint,
    @JsonProperty("defaultInputKeys") List<String> defaultInputKeys,
    @JsonProperty("fires") long fires,
    @JsonProperty("lastFireAt") @Nullable Instant lastFireAt,
    @JsonProperty("lastTaskId") @Nullable UUID lastTaskId,
    @JsonProperty("lastError") @Nullable String lastError,
    @JsonProperty("createdAt") Instant createdAt,
    @JsonProperty("permissionMode") String permissionMode,
    @JsonProperty("sandboxProfile") String sandboxProfile,
    @JsonProperty("persistent") boolean persistent,
    @JsonProperty("enabled") boolean enabled,
    @JsonProperty("signatureScheme") @Nullable String signatureScheme,
    @JsonProperty("secret") @JsonInclude(Include.NON_NULL) @Nullable String secret,
    @JsonProperty("secretHeader") @JsonInclude(Include.NON_NULL) @Nullable String secretHeader,
    @JsonProperty("eventIdHeader") @JsonInclude(Include.NON_NULL) @Nullable String eventIdHeader) {

  static TriggerView of(Trigger trigger, List<String> keys, @Nullable String secret) {
    return new TriggerView(
        trigger.id(),
        trigger.workflowId(),
        trigger.name(),
        "/api/workflow-hooks/" + trigger.id(),
        keys,
        trigger.fires(),
        trigger.lastFireAt(),
        trigger.lastTaskId(),
        trigger.lastError(),
        trigger.createdAt(),
        trigger.permissionMode(),
        trigger.sandboxed() ? "sandboxed" : Trigger.UNSANDBOXED,
        true,
        trigger.enabled(),
        trigger.signatureScheme(),
        secret,
        secret == null ? null : "X-FengYu-Webhook-Secret",
        secret == null ? null : "X-FengYu-Event-Id");
  }
}
