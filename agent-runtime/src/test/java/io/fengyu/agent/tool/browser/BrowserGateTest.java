package io.fengyu.agent.tool.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.fengyu.agent.tool.web.PublicWeb;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BrowserGateTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path root;
  private RealBrowser browser;

  @BeforeEach
  void start() throws Exception {
    assumeThat(RealBrowser.here()).as("a Chromium on the search path").isTrue();
    browser = new RealBrowser(root);
  }

  @AfterEach
  void stop() {
    if (browser != null) {
      browser.close();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://127.0.0.1:PORT/secret",
        "http://localhost:PORT/secret",
        "http://2130706433:PORT/secret",
        "http://[::ffff:127.0.0.1]:PORT/secret",
        "http://trap.example/secret",
        "http://169.254.169.254/latest",
        "file:///etc/passwd",
        "chrome://version",
        "javascript:alert(1)",
        "data:text/html,hello",
        "view-source:http://page.example/"
      })
  void noPageOfThisMachineIsOpened(String url) throws Exception {
    var address = url.replace("PORT", Integer.toString(browser.web.port()));

    assertThat(browser.refused("navigate", "{'url':'" + address + "'}"))
        .contains("private or local address refused");
    assertThat(browser.refused("new_tab", "{'url':'" + address + "'}"))
        .contains("private or local address refused");
    assertThat(browser.web.asked).isEmpty();
  }

  @Test
  void nothingThatAPageEmbedsOrCallsReachesThisMachine() throws Exception {
    try (var own = browser) {
      probe(own);
    }
  }

  private static void probe(RealBrowser browser) throws Exception {
    var local = "http://127.0.0.1:" + browser.web.port() + "/secret";
    browser.web.redirect("/hop", 302, local);
    browser.web.page("/ok", "text/plain", "fine");
    browser.web.page(
        "/embeds",
        "text/html",
        """
        <img src="LOCAL?img"><iframe src="LOCAL?frame"></iframe><script src="LOCAL?script"></script>
        <link rel=stylesheet href="LOCAL?css"><img src="http://trap.example/x"><img src="/hop">
        <script>
          const tries = [
            fetch('LOCAL?fetch', {mode: 'no-cors'}),
            fetch('/hop', {mode: 'no-cors'}),
            new Promise((yes, no) => { const s = new WebSocket('ws://127.0.0.1:PORT/ws');
              s.onopen = yes; s.onerror = no; }),
            new Promise((yes, no) => { const w = new Worker(URL.createObjectURL(new Blob(
              ["fetch('LOCAL?worker',{mode:'no-cors'}).then(()=>postMessage(1),()=>postMessage(0))"])));
              w.onmessage = e => e.data ? yes() : no(); }),
          ];
          navigator.sendBeacon('LOCAL?beacon', 'x');
          Promise.allSettled(tries).then(all => {
            document.title = all.map(one => one.status === 'rejected' ? 'no' : 'YES').join(' ');
            fetch('/ok').then(r => r.text()).then(t => document.title += ' ' + t);
          });
        </script>
        """
            .replace("LOCAL", local)
            .replace("PORT", Integer.toString(browser.web.port())));

    browser.open("/embeds");

    await()
        .atMost(PATIENCE)
        .until(
            () -> browser.good("tabs", "{}").path("tabs").path(0).path("title").asText(),
            title -> title.endsWith("fine"));
    assertThat(browser.good("tabs", "{}").path("tabs").path(0).path("title").asText())
        .isEqualTo("no no no no fine");
    assertThat(browser.web.asked).containsOnly("page.example");
  }

  @Test
  void noRedirectAndNoScriptLeadsAPageToThisMachine() throws Exception {
    var local = "http://127.0.0.1:" + browser.web.port() + "/secret";
    browser.web.page("/secret", "text/plain", "the secret");
    browser.web.redirect("/hop", 302, local);
    browser.web.page("/ok", "text/html", "<p>fine</p>");

    assertThat(browser.refused("navigate", "{'url':'http://page.example/hop'}"))
        .contains("private or local address refused");

    browser.open("/ok");
    browser.call("eval_js", "{'expression':'location.href = \\\"" + local + "\\\"'}");
    assertThat(browser.call("get_text", "{}").path("text").asText()).doesNotContain("secret");
    assertThat(browser.web.asked).containsOnly("page.example");
  }

  @Test
  void domainsThatARuleDeniesAreOutOfReachForWholePagesAndTheirParts() throws Exception {
    browser.web.denied.put("other.example", "WebFetch(domain:other.example)");
    browser.web.page("/pixel", "text/plain", "x");
    browser.web.redirect("/away", 302, "http://other.example/pixel");
    browser.web.page("/page", "text/html", "<p>fine</p><img src='http://other.example/pixel'>");

    assertThat(browser.refused("navigate", "{'url':'http://other.example/'}"))
        .contains("WebFetch(domain:other.example)");
    assertThat(browser.refused("navigate", "{'url':'http://page.example/away'}"))
        .contains("WebFetch(domain:other.example)");
    browser.open("/page");
    assertThat(browser.web.asked).containsOnly("page.example");
  }

  @Test
  void theAddressThatWasCheckedIsConnectedToAndNoneIsLookedUpByTheBrowser() throws Exception {
    browser.web.name("rebinding.example", PublicWeb.PUBLIC, "127.0.0.1");
    browser.web.page("/ok", "text/html", "<p>fine</p>");

    // The tool looks before it opens, and the page is asked for after that.
    var result = browser.call("navigate", "{'url':'http://rebinding.example/ok'}");

    assertThat(result.path("success").asBoolean()).isFalse();
    assertThat(browser.web.asked).isEmpty();
  }

  @Test
  void aBrowserThatListensElsewhereIsAskedToStopToo() throws Exception {
    var profile = Files.createDirectories(root.resolve("profile"));
    var process =
        new ProcessBuilder(
                Chromium.find(System.getenv("PATH")).orElseThrow().toString(),
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-background-networking",
                "--disable-component-update",
                "--host-resolver-rules=MAP page.example 127.0.0.1:" + browser.web.port(),
                "--remote-debugging-port=0",
                "--user-data-dir=" + profile)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      var announced = profile.resolve("DevToolsActivePort");
      await()
          .atMost(PATIENCE)
          .until(() -> Files.exists(announced) && Files.readAllLines(announced).size() > 1);
      var port = Files.readAllLines(announced).getFirst();
      var address = Optional.of(URI.create("http://127.0.0.1:" + port));
      try (var remote =
          new RealBrowser(root, address, Optional.empty(), 2, Duration.ofMinutes(1))) {
        remote.web.page("/ok", "text/plain", "fine");
        assertThat(remote.refused("navigate", "{'url':'http://trap.example/'}"))
            .contains("private or local address refused");
        assertThat(remote.good("new_tab", "{}").path("url").asText()).isEqualTo("about:blank");
        browser.web.page("/embeds", "text/html", "<img src='http://localhost:1/x'><p>fine</p>");
        var page = remote.good("navigate", "{'url':'http://page.example/embeds'}");
        assertThat(page.path("blocked").asText()).contains("private or local address refused");
      }
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly().waitFor();
    }
  }
}
