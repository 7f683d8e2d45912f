package io.fengyu.chat.model.config;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What an owner chose, as the database has it.
 *
 * @param settings only chosen values
 * @param keys by slot
 */
record StoredConfig(ObjectNode settings, Map<String, StoredKey> keys, List<StoredModel> models) {

  /** An encrypted key and the origin it belongs to. */
  record StoredKey(String origin, String sealed) {}

  /**
   * A model that the owner added.
   *
   * @param baseUrl null for that of the mode
   */
  record StoredModel(String id, String mode, String model, @Nullable String baseUrl) {}

  Optional<StoredModel> model(String id) {
    return models.stream().filter(model -> model.id().equals(id)).findFirst();
  }
}
