package io.fengyu.chat.journal;

import io.fengyu.contract.start.StartClaim;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A turn that is about to begin.
 *
 * @param conversationId null for a turn that belongs to no conversation
 * @param input the message that it answers
 * @param options JSON, shown with the turn
 * @param edits the turn that it takes the place of; null for none
 * @param claims that must still be held
 */
public record NewTurn(
    UUID id,
    String owner,
    @Nullable String conversationId,
    String input,
    String options,
    @Nullable UUID edits,
    List<StartClaim> claims) {}
