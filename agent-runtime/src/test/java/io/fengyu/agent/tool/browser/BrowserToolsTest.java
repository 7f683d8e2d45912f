package io.fengyu.agent.tool.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BrowserToolsTest {

  private static final String FORM =
      """
      <!DOCTYPE html><title>Order</title><h1>Order form</h1>
      <form action="/done"><label>Name <input name="name" value="old"></label>
      <label>Secret <input type="password" name="p" value="hunter2"></label>
      <label>Size <select name="size"><option value="s">Small</option>
      <option value="l">Large</option><option value="x" disabled>Huge</option></select></label>
      <button>Send it</button></form>
      <div id="tip" onmouseover="document.title='hovered'" tabindex="0">Hover here</div>
      <p style="height:3000px">tall</p><p>the end</p>
      <script>document.addEventListener('keydown', e => { if (e.key === 'j') document.title = 'j'; });
      </script>
      """;

  private RealBrowser browser;

  @BeforeAll
  void start(@TempDir Path root) throws Exception {
    assumeThat(RealBrowser.here()).as("a Chromium on the search path").isTrue();
    browser = new RealBrowser(root);
    browser.web.page("/form", "text/html; charset=utf-8", FORM);
    browser.web.page(
        "/done",
        exchange -> {
          exchange.getResponseHeaders().set("Content-Type", "text/html; charset=utf-8");
          exchange.sendResponseHeaders(200, 0);
          exchange
              .getResponseBody()
              .write(
                  ("<title>Done</title><p>Got " + exchange.getRequestURI().getQuery() + "</p>")
                      .getBytes(StandardCharsets.UTF_8));
        });
  }

  @AfterEach
  void closeTabs() throws Exception {
    browser.web.denied.clear();
    browser.call("close", "{}");
  }

  @AfterAll
  void stop() {
    if (browser != null) {
      browser.close();
    }
  }

  @Test
  void aFormIsFilledInAndSent() throws Exception {
    browser.open("/form");
    var name = browser.ref("textbox \"Name\"");
    var size = browser.ref("combobox \"Size\"");

    browser.good("type", "{'ref':'" + name + "','text':'华东 & co'}");
    var chosen = browser.good("select_option", "{'ref':'" + size + "','values':['Large']}");
    assertThat(chosen.path("selected").path(0).path("value").asText()).isEqualTo("l");
    var sent = browser.good("click", "{'ref':'" + browser.ref("button \"Send it\"") + "'}");

    assertThat(sent.path("title").asText()).isEqualTo("Done");
    assertThat(browser.good("get_text", "{}").path("text").asText())
        .isEqualTo("Got name=华东+&+co&p=hunter2&size=l");
  }

  @Test
  void theOutlineShowsWhatCanBeActedOnButNoPassword() throws Exception {
    browser.open("/form");

    var snapshot = browser.good("snapshot", "{}");

    assertThat(snapshot.path("url").asText()).isEqualTo("http://page.example/form");
    assertThat(snapshot.path("snapshot").asText())
        .contains("heading \"Order form\" [level=1]", "[value=\"old\"]", "[value=***]")
        .contains("[options=[\"Small\",\"Large\",\"Huge\"]]")
        .doesNotContain("hunter2");
  }

  @ParameterizedTest
  @ValueSource(strings = {"reload", "back", "forward", "navigate"})
  void refsMeanNothingOnceThePageWasLoadedAnew(String how) throws Exception {
    browser.open("/done");
    browser.open("/form");
    browser.open("/done");
    browser.good("back", "{}");
    var ref = browser.ref("button \"Send it\"");

    if (how.equals("forward")) {
      browser.good("forward", "{}");
      browser.good("back", "{}");
    } else {
      browser.good(how, how.equals("navigate") ? "{'url':'http://page.example/form'}" : "{}");
    }

    assertThat(browser.refused("click", "{'ref':'" + ref + "'}")).contains("stale");
    if (!how.equals("back")) {
      var again = browser.ref("button \"Send it\"");
      assertThat(again).isNotEqualTo(ref);
      assertThat(browser.good("click", "{'ref':'" + again + "'}").path("title").asText())
          .isEqualTo("Done");
    }
  }

  @Test
  void anElementThatIsGoneIsStaleAndOneThatNeverWasToo() throws Exception {
    browser.open("/form");
    var ref = browser.ref("button \"Send it\"");
    browser.good("eval_js", "{'expression':'document.querySelector(\\\"button\\\").remove()'}");

    assertThat(browser.refused("click", "{'ref':'" + ref + "'}")).contains("stale");
    assertThat(browser.refused("click", "{'ref':'e99999'}")).contains("stale");
    assertThat(browser.refused("click", "{'ref':'button'}")).contains("not a ref");
  }

  @Test
  void keysReachThePageWithoutAnElement() throws Exception {
    browser.open("/form");

    assertThat(browser.good("press", "{'key':'j'}").path("title").asText()).isEqualTo("j");
    assertThat(browser.refused("press", "{'key':'Hyper+j'}")).contains("Hyper");
    assertThat(browser.refused("press", "{'key':'NoSuchKey'}")).contains("NoSuchKey");
  }

  @Test
  void thePointerHoversAndTheWheelScrolls() throws Exception {
    browser.open("/form");

    var tip = browser.good("find", "{'text':'hover HERE'}").path("matches").path(0);
    var over = browser.good("hover", "{'ref':'" + tip.path("ref").asText() + "'}");
    assertThat(over.path("title").asText()).isEqualTo("hovered");

    browser.good("scroll", "{'deltaY':700}");
    assertThat(
            Integer.parseInt(
                browser
                    .good("eval_js", "{'expression':'Math.round(scrollY)'}")
                    .path("value")
                    .asText()))
        .isGreaterThan(100);
    browser.good("wait_for", "{'text':'the end'}");
  }

  @Test
  void anOptionThatIsNotThereOrDisabledIsNotChosen() throws Exception {
    browser.open("/form");
    var size = browser.ref("combobox \"Size\"");

    assertThat(browser.refused("select_option", "{'ref':'" + size + "','values':['Tiny']}"))
        .contains("no option");
    assertThat(browser.refused("select_option", "{'ref':'" + size + "','values':['Huge']}"))
        .contains("disabled");
  }

  @Test
  void aPictureComesWithTheOutlineAndTheAccessibilityTree() throws Exception {
    browser.open("/form");

    var shot = browser.good("screenshot", "{}");

    var png = Base64.getDecoder().decode(shot.path("imageBase64").asText());
    assertThat(new String(png, 1, 3, StandardCharsets.US_ASCII)).isEqualTo("PNG");
    assertThat(png.length).isGreaterThan(2_000);
    assertThat(shot.path("mimeType").asText()).isEqualTo("image/png");
    assertThat(shot.path("snapshot").asText()).contains("button \"Send it\" [ref=");
    assertThat(shot.path("accessibility").asText()).contains("button \"Send it\"");
  }

  @Test
  void queriesAndWaitsLookAtThePage() throws Exception {
    browser.open("/form");

    assertThat(browser.good("query", "{'selector':'option'}").path("total").asInt()).isEqualTo(3);
    assertThat(browser.refused("query", "{'selector':'option:::'}")).contains("the page said");
    assertThat(browser.refused("wait_for", "{'text':'never','timeoutMs':300}"))
        .contains("within 300 ms");
    browser.good("wait_for", "{'selector':'#nothing','gone':true}");
  }

  @Test
  void whatAPageOpensBecomesATabAndDialogsHoldNothingUp() throws Exception {
    browser.web.page(
        "/popup",
        "text/html",
        "<script>alert('hello')</script><button onclick=\"window.open('/done')\">Open</button>");
    browser.open("/popup");

    browser.good("click", "{'ref':'" + browser.ref("button \"Open\"") + "'}");
    browser.good("wait_for", "{'text':'Got'}");

    var tabs = browser.good("tabs", "{}").path("tabs");
    assertThat(tabs.findValuesAsText("title")).contains("Done");
    var first = tabs.path(0).path("tabId").asText();
    assertThat(browser.good("select_tab", "{'tabId':'" + first + "'}").path("url").asText())
        .endsWith("/popup");
    browser.good("close_tab", "{'tabId':'" + first + "'}");
    assertThat(browser.good("tabs", "{}").path("tabs")).hasSize(1);
  }

  @Test
  void aBatchGoesToTheFirstStepThatFailsAndPastNoRule() throws Exception {
    var steps =
        "{'steps':[{'tool':'browser_navigate','args':{'url':'http://page.example/form'}},"
            + "{'tool':'browser_press','args':{'key':'j'}},"
            + "{'tool':'browser_click','args':{'ref':'e99999'}},"
            + "{'tool':'browser_reload'}]}";

    var result = browser.call("batch", steps);
    assertThat(result.path("success").asBoolean()).isFalse();
    assertThat(result.path("results")).hasSize(3);
    assertThat(result.path("results").path(1).path("title").asText()).isEqualTo("j");

    browser.web.denied.put("browser_press", "Tool(browser_press)");
    assertThat(browser.refused("batch", steps)).contains("Tool(browser_press)");
    assertThat(browser.refused("batch", "{'steps':[{'tool':'browser_batch'}]}"))
        .contains("no such step");
  }

  @Test
  void aPageThatCannotBeReachedIsAFailureWithTheReason() throws Exception {
    assertThat(browser.refused("navigate", "{'url':'http://nowhere.example/'}"))
        .contains("cannot be found");
    assertThat(browser.refused("back", "{}")).contains("no page to go back to");
  }
}
