package io.fengyu.chat.model.config;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.chat.model.config.StoredConfig.StoredModel;
import java.util.List;
import java.util.Optional;

/** What one request writes; everything or nothing. */
record AiChange(
    Optional<ObjectNode> settings,
    List<NewKey> keys,
    List<String> clearedSlots,
    Optional<StoredModel> model,
    Optional<String> deletedModel) {

  /** An encrypted key for a slot. */
  record NewKey(String slot, String origin, String sealed) {}

  static AiChange ofSettings(ObjectNode settings, List<NewKey> keys, List<String> clearedSlots) {
    return new AiChange(
        Optional.of(settings), keys, clearedSlots, Optional.empty(), Optional.empty());
  }

  static AiChange ofModel(StoredModel model, List<NewKey> keys, List<String> clearedSlots) {
    return new AiChange(Optional.empty(), keys, clearedSlots, Optional.of(model), Optional.empty());
  }

  static AiChange deletion(String id, String slot) {
    return new AiChange(
        Optional.empty(), List.of(), List.of(slot), Optional.empty(), Optional.of(id));
  }
}
