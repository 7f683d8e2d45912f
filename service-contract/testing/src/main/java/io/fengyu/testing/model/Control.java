package io.fengyu.testing.model;

import com.fasterxml.jackson.databind.node.ArrayNode;

/**
 * Lets another process script the server: {@code POST /__script} takes an array of answers, {@code
 * GET /__requests} tells what was asked, {@code POST /__fire/name} lets a named wait end, {@code
 * POST /__reset} forgets everything.
 */
final class Control {

  private Control() {}

  static boolean wants(RecordedRequest request) {
    return request.path().startsWith("/__");
  }

  static Answer answer(RecordedRequest request, ModelServer server) {
    var path = request.path();
    if (path.equals("/__script")) {
      server.next(ScriptReader.answers(request.json()).toArray(Answer[]::new));
      return ok();
    }
    if (path.equals("/__otherwise")) {
      server.otherwise(ScriptReader.answer(request.json()));
      return ok();
    }
    if (path.startsWith("/__fire/")) {
      ScriptReader.signal(path.substring("/__fire/".length())).fire();
      return ok();
    }
    if (path.equals("/__reset")) {
      server.reset();
      return ok();
    }
    return path.equals("/__requests")
        ? Answer.body(200, "application/json", requests(server).toString())
        : Answer.body(404, "text/plain", "Not found");
  }

  private static Answer ok() {
    return Answer.body(200, "application/json", "{\"ok\":true}");
  }

  private static ArrayNode requests(ModelServer server) {
    var all = Dialect.JSON.createArrayNode();
    for (var request : server.requests()) {
      if (wants(request)) {
        continue;
      }
      var one = all.addObject().put("method", request.method()).put("path", request.path());
      one.set("headers", Dialect.JSON.valueToTree(request.headers()));
      one.set("body", request.json());
      one.put("closed", request.closed());
    }
    return all;
  }
}
