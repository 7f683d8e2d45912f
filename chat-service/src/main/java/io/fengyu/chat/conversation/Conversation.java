package io.fengyu.chat.conversation;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.fengyu.chat.conversation.ConversationList.Summary;
import java.util.List;

/**
 * A conversation with what was said.
 *
 * @param revision grows with every change; the entity tag
 */
public record Conversation(
    @JsonUnwrapped Summary summary, List<Message> messages, @JsonIgnore long revision) {}
