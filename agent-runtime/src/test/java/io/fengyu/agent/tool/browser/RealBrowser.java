package io.fengyu.agent.tool.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fengyu.agent.process.Children;
import io.fengyu.agent.tool.Calls;
import io.fengyu.agent.tool.web.PublicWeb;
import io.vertx.core.Vertx;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/** The tools over a Chromium of this machine, in a web of one server. */
final class RealBrowser implements AutoCloseable {

  final PublicWeb web;
  final Browser browser;
  final Contexts contexts;
  final BrowserTools tools;
  final Calls calls;
  final Vertx vertx = Vertx.vertx();

  RealBrowser(Path root) throws Exception {
    this(root, Optional.empty(), Chromium.find(System.getenv("PATH")), 8, Duration.ofMinutes(10));
  }

  RealBrowser(Path root, Optional<URI> remote, Optional<Path> program, int most, Duration idle)
      throws Exception {
    web = new PublicWeb();
    web.name("page.example", PublicWeb.PUBLIC);
    web.name("other.example", PublicWeb.PUBLIC);
    web.name("trap.example", "10.0.0.9");
    browser = new Browser(vertx, new Children(Duration.ofSeconds(15)), remote, program);
    contexts = new Contexts(vertx, browser, web.policy(), web.rules(), most, idle);
    tools =
        new BrowserTools(
            contexts,
            browser,
            (owner, tool, args) -> Optional.ofNullable(web.denied.get(tool.name())));
    calls = new Calls(root);
  }

  static boolean here() {
    return Chromium.find(System.getenv("PATH")).isPresent();
  }

  JsonNode call(String tool, String args) throws Exception {
    return call(calls, tool, args);
  }

  JsonNode call(Calls from, String tool, String args) throws Exception {
    var found =
        tools.tools("alice").await().indefinitely().stream()
            .filter(one -> one.spec().name().equals("browser_" + tool))
            .findFirst()
            .orElseThrow();
    return from.result(found, args);
  }

  JsonNode good(String tool, String args) throws Exception {
    var result = call(tool, args);
    assertThat(result.path("success").asBoolean()).as(tool + ": " + result).isTrue();
    return result;
  }

  String refused(String tool, String args) throws Exception {
    var result = call(tool, args);
    assertThat(result.path("success").asBoolean()).as(tool + ": " + result).isFalse();
    return result.path("summary").asText();
  }

  void open(String path) throws Exception {
    good("navigate", "{'url':'http://page.example" + path + "'}");
  }

  String ref(String line) throws Exception {
    return refIn(good("snapshot", "{}").path("snapshot").asText(), line);
  }

  static String refIn(String snapshot, String line) {
    var matcher = Pattern.compile(Pattern.quote(line) + " \\[ref=(e\\d+)]").matcher(snapshot);
    assertThat(matcher.find()).as(line + " in\n" + snapshot).isTrue();
    return matcher.group(1);
  }

  @Override
  public void close() {
    contexts.close();
    web.close();
    vertx.close();
  }
}
