package io.fengyu.console.page;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.io.IOException;
import java.io.StringReader;
import java.lang.ref.SoftReference;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/** Serves the start page, the merged OpenAPI document and Swagger UI, all from the edge's jar. */
@ApplicationScoped
class Pages {

  private static final List<String> SERVICES =
      List.of(
          "chat-service", "agent-runtime", "workflow-service", "task-scheduler", "webhook-gateway");

  private static final Map<String, String> VIEWER_FILES =
      Map.of(
          "swagger-ui.css", "text/css",
          "swagger-ui-bundle.js", "text/javascript",
          "favicon-32x32.png", "image/png");

  private static final String POLICY =
      "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:;"
          + " frame-ancestors 'none'";

  private final Vertx vertx;
  private final ObjectMapper json;
  private final String viewer;
  private SoftReference<Buffer> document = new SoftReference<>(null);

  Pages(Vertx vertx, ObjectMapper json) throws IOException {
    this.vertx = vertx;
    this.json = json;
    this.viewer = "META-INF/resources/webjars/swagger-ui/" + viewerVersion() + "/";
  }

  private static String viewerVersion() throws IOException {
    var pom = new Properties();
    pom.load(
        new StringReader(read("META-INF/maven/org.webjars/swagger-ui/pom.properties").toString()));
    return pom.getProperty("version");
  }

  void routes(@Observes Router router) {
    router.get("/api/openapi.json").method(HttpMethod.HEAD).order(-1).handler(this::openApi);
    router.get("/").method(HttpMethod.HEAD).handler(c -> file(c, "pages/index.html", "text/html"));
    router
        .get("/page.css")
        .method(HttpMethod.HEAD)
        .handler(c -> file(c, "pages/page.css", "text/css"));
    router
        .getWithRegex("/docs/?")
        .method(HttpMethod.HEAD)
        .handler(c -> file(c, "pages/docs.html", "text/html"));
    router
        .get("/docs/docs.js")
        .method(HttpMethod.HEAD)
        .handler(c -> file(c, "pages/docs.js", "text/javascript"));
    VIEWER_FILES.forEach(
        (name, type) ->
            router
                .get("/docs/" + name)
                .method(HttpMethod.HEAD)
                .handler(c -> file(c, viewer + name, type)));
  }

  private void openApi(RoutingContext context) {
    var known = document.get();
    var ready = known != null ? Future.succeededFuture(known) : vertx.executeBlocking(this::merge);
    ready
        .onSuccess(
            body ->
                context
                    .response()
                    .putHeader("Content-Type", "application/json")
                    .putHeader("X-Content-Type-Options", "nosniff")
                    .putHeader("Cache-Control", "no-cache")
                    .end(body))
        .onFailure(context::fail);
  }

  private Buffer merge() throws IOException {
    var merged = new ApiDocument(json);
    for (var service : SERVICES) {
      try (var in =
          Pages.class.getClassLoader().getResourceAsStream("openapi/" + service + ".json")) {
        if (in != null) {
          merged.add(service, json.readTree(in));
        }
      }
    }
    var body = Buffer.buffer(json.writeValueAsBytes(merged.merged()));
    document = new SoftReference<>(body);
    return body;
  }

  private void file(RoutingContext context, String resource, String type) {
    vertx
        .executeBlocking(() -> read(resource))
        .onSuccess(
            body ->
                context
                    .response()
                    .putHeader(
                        "Content-Type", type.startsWith("image") ? type : type + "; charset=utf-8")
                    .putHeader("Content-Security-Policy", POLICY)
                    .putHeader("X-Content-Type-Options", "nosniff")
                    .putHeader("Referrer-Policy", "no-referrer")
                    .putHeader("Cache-Control", "no-cache")
                    .end(body))
        .onFailure(context::fail);
  }

  private static Buffer read(String resource) throws IOException {
    try (var in = Pages.class.getClassLoader().getResourceAsStream(resource)) {
      if (in == null) {
        throw new IOException("Not in the jar: " + resource);
      }
      return Buffer.buffer(in.readAllBytes());
    }
  }
}
