package io.fengyu.chat.turn;

import io.fengyu.chat.model.Backend;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Everything that was settled when a turn began; nothing of it changes while it runs.
 *
 * @param backend what answers; null when it is not completely configured
 * @param missing why there is none; null when there is one
 * @param system the owner's instructions
 * @param window in tokens; 0 for a window without a bound
 * @param rounds of tool calls
 */
record TurnPlan(
    UUID id,
    String owner,
    TurnRequest request,
    @Nullable Backend backend,
    @Nullable String missing,
    String system,
    int window,
    int rounds,
    Budget budget) {

  ToolDoor.Place place() {
    return new ToolDoor.Place(
        owner,
        id,
        request.conversationId(),
        request.permissionMode(),
        request.workflowId(),
        request.flowContext());
  }
}
