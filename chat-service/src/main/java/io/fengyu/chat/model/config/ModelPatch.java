package io.fengyu.chat.model.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.chat.model.BaseUrl;
import io.fengyu.chat.model.EndpointPolicy;
import io.fengyu.chat.model.KeyMask;
import io.fengyu.chat.model.Mode;
import io.fengyu.chat.model.config.StoredConfig.StoredModel;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Stores a model of the owner, or changes parts of one. */
final class ModelPatch {

  private static final int MOST_MODELS = 200;
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:-]{0,63}");

  private final String owner;
  private final String id;
  private final ObjectNode body;
  private final StoredConfig stored;
  private final Fields fields;
  private final KeyRing keys;
  private final List<AiChange.NewKey> newKeys = new ArrayList<>();
  private final List<String> cleared = new ArrayList<>();

  ModelPatch(
      String owner,
      String id,
      ObjectNode body,
      StoredConfig stored,
      EndpointPolicy policy,
      KeyRing keys) {
    this.owner = owner;
    this.id = id;
    this.body = body;
    this.stored = stored;
    this.fields = new Fields(policy, "MODEL_INVALID");
    this.keys = keys;
  }

  AiChange change(AiSettings settings) {
    var old = stored.model(id);
    if (old.isEmpty() && stored.models().size() >= MOST_MODELS) {
      throw AiProblems.tooManyModels(MOST_MODELS);
    }
    if (!ID.matcher(id).matches() || Mode.of(id).isPresent()) {
      fields.wrong("", "INVALID_ID");
    }
    var mode = mode(old);
    var model = model(old);
    var url = url(old);
    var target = url.orElseGet(() -> settings.provider(mode).baseUrl());
    if (mode.needsKey() && body.has("apiKey")) {
      key(body.get("apiKey"), target);
    }
    fields.check();
    var changed = new StoredModel(id, mode.id(), model, url.map(URI::toString).orElse(null));
    return AiChange.ofModel(changed, newKeys, cleared);
  }

  private Mode mode(Optional<StoredModel> old) {
    var value = body.get("mode");
    var name = value == null ? old.map(StoredModel::mode).orElse("") : value.asText();
    var mode = Mode.of(name);
    if (mode.isEmpty()) {
      fields.wrong("/mode", "UNKNOWN_MODE");
    }
    return mode.orElse(Mode.LOCAL);
  }

  private String model(Optional<StoredModel> old) {
    var value = body.get("model");
    var name = value == null ? old.map(StoredModel::model) : fields.name(value, "/model");
    if (name.isEmpty()) {
      fields.wrong("/model", "REQUIRED");
    }
    return name.orElse("");
  }

  private Optional<URI> url(Optional<StoredModel> old) {
    var value = fields.twin(body, "baseUrl", "endpoint", "", same -> isStored(old, same));
    return value.isPresent()
        ? fields.url(value.get(), "/baseUrl")
        : old.map(StoredModel::baseUrl).map(URI::create);
  }

  private static boolean isStored(Optional<StoredModel> old, JsonNode value) {
    return old.map(StoredModel::baseUrl).filter(value.asText()::equals).isPresent();
  }

  private void key(JsonNode value, URI target) {
    if (value.isNull()) {
      cleared.add(ModelCatalog.slot(id));
      return;
    }
    var key = fields.key(value, "/apiKey");
    if (key != null && !key.isEmpty() && !KeyMask.isMasked(key)) {
      newKeys.add(keys.seal(owner, ModelCatalog.slot(id), BaseUrl.origin(target), key));
    }
  }
}
