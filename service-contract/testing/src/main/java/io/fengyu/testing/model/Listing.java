package io.fengyu.testing.model;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The endpoints that name the models a provider has. */
final class Listing {

  private Listing() {}

  static @Nullable Answer answer(RecordedRequest request, List<String> models) {
    if (!request.method().equals("GET")) {
      return null;
    }
    var path = request.path().split("\\?", 2)[0];
    if (path.equals("/api/version")) {
      return json(Dialect.JSON.createObjectNode().put("version", "0.12.0"));
    }
    if (path.equals("/api/tags")) {
      return json(tags(models));
    }
    if (!path.endsWith("/models")) {
      return null;
    }
    return json(request.header("anthropic-version") == null ? openAi(models) : anthropic(models));
  }

  private static ObjectNode openAi(List<String> models) {
    var body = Dialect.JSON.createObjectNode().put("object", "list");
    for (var model : models) {
      body.withArray("data")
          .addObject()
          .put("id", model)
          .put("object", "model")
          .put("created", 1_767_225_600)
          .put("owned_by", "scripted");
    }
    return body;
  }

  private static ObjectNode anthropic(List<String> models) {
    var body = Dialect.JSON.createObjectNode().put("has_more", false);
    for (var model : models) {
      body.withArray("data")
          .addObject()
          .put("type", "model")
          .put("id", model)
          .put("display_name", model)
          .put("created_at", "2026-01-01T00:00:00Z");
    }
    return body.put("first_id", models.getFirst()).put("last_id", models.getLast());
  }

  private static ObjectNode tags(List<String> models) {
    var body = Dialect.JSON.createObjectNode();
    for (var model : models) {
      body.withArray("models")
          .addObject()
          .put("name", model)
          .put("model", model)
          .put("modified_at", "2026-01-01T00:00:00Z")
          .put("size", 1)
          .put("digest", "scripted");
    }
    return body;
  }

  private static Answer json(ObjectNode body) {
    return Answer.body(200, "application/json", body.toString());
  }
}
