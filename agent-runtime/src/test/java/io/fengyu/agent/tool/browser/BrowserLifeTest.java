package io.fengyu.agent.tool.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.fengyu.agent.process.Children;
import io.fengyu.agent.tool.Calls;
import io.vertx.core.Vertx;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BrowserLifeTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path root;

  @Test
  void withoutABrowserThereAreNoTools() throws Exception {
    try (var none =
        new RealBrowser(root, Optional.empty(), Optional.empty(), 1, Duration.ofMinutes(1))) {
      assertThat(none.tools.tools("alice").await().indefinitely()).isEmpty();
    }
  }

  @Test
  void aBrowserThatCannotBeReachedOrStartedIsUnavailable() throws Exception {
    var nobody = Optional.of(URI.create("ws://127.0.0.1:1/devtools"));
    try (var away = new RealBrowser(root, nobody, Optional.empty(), 1, Duration.ofMinutes(1))) {
      assertThat(away.call("navigate", "{'url':'http://page.example/'}").toString())
          .isEqualTo("{\"success\":false,\"summary\":\"browser unavailable\"}");
    }
    var broken = Optional.of(Path.of("/bin/false"));
    try (var ends = new RealBrowser(root, Optional.empty(), broken, 1, Duration.ofMinutes(1))) {
      assertThat(ends.refused("snapshot", "{}")).isEqualTo("browser unavailable");
      assertThat(ends.tools.tools("alice").await().indefinitely()).isNotEmpty();
    }
  }

  // No class of its own: the container would take the bounds it inherits for an interceptor's.
  private static BrowserConfig configured(String cdpUrl) {
    return (BrowserConfig)
        Proxy.newProxyInstance(
            BrowserConfig.class.getClassLoader(),
            new Class<?>[] {BrowserConfig.class},
            (proxy, method, args) ->
                switch (method.getName()) {
                  case "cdpUrl" -> Optional.of(cdpUrl);
                  case "local" -> false;
                  case "contexts" -> 1;
                  default -> Duration.ofMinutes(1);
                });
  }

  @Test
  void anAddressThatIsNoneStopsTheStart() {
    var config = configured("ftp://x");
    var vertx = Vertx.vertx();
    assertThatThrownBy(() -> new Browser(vertx, new Children(Duration.ofSeconds(15)), config))
        .hasMessageContaining("BROWSER_CDP_URL");
    vertx.close();
  }

  @Test
  void whatNobodyUsesIsClosedWithTheProcess() throws Exception {
    assumeThat(RealBrowser.here()).isTrue();
    try (var browser = local(2, Duration.ofSeconds(1))) {
      browser.good("tabs", "{}");
      assertThat(browsers()).isPositive();

      await().atMost(PATIENCE).until(() -> browser.contexts.size() == 0 && browsers() == 0);

      browser.good("snapshot", "{}");
    }
  }

  @Test
  void aBrowserThatWasKilledIsStartedAgain() throws Exception {
    assumeThat(RealBrowser.here()).isTrue();
    try (var browser = local(2, Duration.ofMinutes(1))) {
      browser.good("snapshot", "{}");
      ours().forEach(ProcessHandle::destroyForcibly);

      await()
          .atMost(PATIENCE)
          .until(() -> browser.call("snapshot", "{}").path("success").asBoolean());
    }
  }

  @Test
  void noMoreAtOnceThanAllowed() throws Exception {
    assumeThat(RealBrowser.here()).isTrue();
    try (var browser = local(1, Duration.ofMinutes(1))) {
      browser.good("snapshot", "{}");
      var other = new Calls(root.resolve("other"));
      other.session = "another";

      assertThat(browser.call(other, "snapshot", "{}").path("summary").asText()).contains("in use");
      browser.good("close", "{}");
      assertThat(browser.call(other, "snapshot", "{}").path("success").asBoolean()).isTrue();
    }
  }

  @Test
  void conversationsShareNothing() throws Exception {
    assumeThat(RealBrowser.here()).isTrue();
    try (var browser = local(2, Duration.ofMinutes(1))) {
      browser.web.page("/c", "text/html", "<p>x</p>");
      browser.open("/c");
      browser.good("eval_js", "{'expression':'document.cookie = \\\"a=1\\\"'}");
      var other = new Calls(root.resolve("other"));
      other.session = "another";

      browser.call(other, "navigate", "{'url':'http://page.example/c'}");

      assertThat(
              browser
                  .call(other, "eval_js", "{'expression':'document.cookie'}")
                  .path("value")
                  .asText())
          .isEqualTo("\"\"");
      assertThat(browser.good("eval_js", "{'expression':'document.cookie'}").path("value").asText())
          .isEqualTo("\"a=1\"");
    }
  }

  private RealBrowser local(int most, Duration idle) throws Exception {
    return new RealBrowser(
        root, Optional.empty(), Chromium.find(System.getenv("PATH")), most, idle);
  }

  private static long browsers() {
    return ours().count();
  }

  private static Stream<ProcessHandle> ours() {
    return ProcessHandle.current()
        .descendants()
        .filter(one -> one.info().command().orElse("").contains("chrom"));
  }
}
