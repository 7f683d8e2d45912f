package io.fengyu.agent.tool.browser;

import com.fasterxml.jackson.databind.JsonNode;
import io.fengyu.agent.tool.ToolException;
import io.vertx.core.Vertx;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The pages of one run or conversation: cookies, storage and a way to the network of their own. */
final class Context {

  private static final int MOST_PAGES = 10;

  /** One call at a time. */
  final ReentrantLock lock = new ReentrantLock();

  private final Cdp cdp;
  private final Gate gate;
  private final @Nullable GateProxy proxy;
  private final String id;
  private final Map<String, Page> pages = new LinkedHashMap<>();
  private @Nullable Page active;
  private volatile long usedAt = System.nanoTime();

  private Context(Cdp cdp, Gate gate, @Nullable GateProxy proxy, String id) {
    this.cdp = cdp;
    this.gate = gate;
    this.proxy = proxy;
    this.id = id;
  }

  /**
   * Makes one. Blocks.
   *
   * @param remote true for a browser that could not reach a proxy of ours: then it is asked to stop
   *     at every request
   */
  static Context open(Vertx vertx, Cdp cdp, Gate gate, boolean remote)
      throws BrowserGoneException, ToolException, InterruptedException {
    var proxy = remote ? null : GateProxy.start(vertx, gate);
    try {
      var params = Cdp.params("disposeOnDetach", true);
      if (proxy != null) {
        params.put("proxyServer", proxy.address()).put("proxyBypassList", "<-loopback>");
      }
      var id =
          Browser.ask(cdp, "Target.createBrowserContext", params).path("browserContextId").asText();
      Browser.ask(
          cdp,
          "Browser.setDownloadBehavior",
          Cdp.params("behavior", "deny", "browserContextId", id));
      return new Context(cdp, gate, proxy, id);
    } catch (BrowserGoneException | ToolException | InterruptedException | RuntimeException e) {
      if (proxy != null) {
        proxy.close();
      }
      throw e;
    }
  }

  Gate gate() {
    return gate;
  }

  boolean isGone() {
    return cdp.isGone();
  }

  void used() {
    usedAt = System.nanoTime();
  }

  long idleNanos() {
    return System.nanoTime() - usedAt;
  }

  /** The page that calls are about; the first one is made when needed. */
  Page page() throws BrowserGoneException, ToolException, InterruptedException {
    adopt();
    var page = active;
    return page == null ? newPage() : page;
  }

  List<Page> pages() throws BrowserGoneException, ToolException, InterruptedException {
    adopt();
    return List.copyOf(pages.values());
  }

  boolean isActive(Page page) {
    return page.equals(active);
  }

  Page newPage() throws BrowserGoneException, ToolException, InterruptedException {
    if (pages.size() >= MOST_PAGES) {
      throw new ToolException("there are " + MOST_PAGES + " tabs already; close one");
    }
    var target =
        Browser.ask(
                cdp,
                "Target.createTarget",
                Cdp.params("url", "about:blank", "browserContextId", id))
            .path("targetId")
            .asText();
    var page = attach(target);
    active = page;
    return page;
  }

  void select(Page page) throws BrowserGoneException, ToolException, InterruptedException {
    Browser.ask(cdp, "Target.activateTarget", Cdp.params("targetId", page.targetId()));
    active = page;
  }

  void close(Page page) throws BrowserGoneException, ToolException, InterruptedException {
    Browser.ask(cdp, "Target.closeTarget", Cdp.params("targetId", page.targetId()));
    remove(page.targetId());
  }

  private Page attach(String target)
      throws BrowserGoneException, ToolException, InterruptedException {
    var session =
        Browser.ask(cdp, "Target.attachToTarget", Cdp.params("targetId", target, "flatten", true))
            .path("sessionId")
            .asText();
    var page = new Page(cdp, target, session);
    cdp.listen(session, (method, params) -> heard(page, method, params));
    pages.put(target, page);
    if (proxy == null) {
      page.ask("Fetch.enable", Cdp.params("patterns", List.of(Map.of("urlPattern", "*"))));
    }
    page.begin();
    return page;
  }

  private void heard(Page page, String method, JsonNode params) {
    if (method.equals("Fetch.requestPaused")) {
      Thread.ofVirtual().name("browser-gate").start(() -> judge(page, params));
    } else {
      page.heard(method, params);
    }
  }

  private void judge(Page page, JsonNode params) {
    var url = params.path("request").path("url").asText();
    var request = Cdp.params("requestId", params.path("requestId").asText());
    if (allowed(url)) {
      cdp.tell(page.session(), "Fetch.continueRequest", request);
    } else {
      cdp.tell(page.session(), "Fetch.failRequest", request.put("errorReason", "BlockedByClient"));
    }
  }

  private boolean allowed(String url) {
    try {
      return url.startsWith("data:") || url.startsWith("blob:") || !gate.open(url).isEmpty();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Pages that pages have opened become tabs; those that are gone are forgotten. */
  private void adopt() throws BrowserGoneException, ToolException, InterruptedException {
    var known = new LinkedHashMap<String, Boolean>();
    for (var target : Browser.ask(cdp, "Target.getTargets", Cdp.params()).path("targetInfos")) {
      if (target.path("type").asText().equals("page")
          && target.path("browserContextId").asText().equals(id)) {
        known.put(target.path("targetId").asText(), true);
      }
    }
    for (var gone : List.copyOf(pages.keySet())) {
      if (!known.containsKey(gone)) {
        remove(gone);
      }
    }
    for (var target : known.keySet()) {
      if (!pages.containsKey(target)) {
        adopt(target);
      }
    }
  }

  private void adopt(String target)
      throws BrowserGoneException, ToolException, InterruptedException {
    if (pages.size() >= MOST_PAGES) {
      Browser.ask(cdp, "Target.closeTarget", Cdp.params("targetId", target));
    } else {
      active = attach(target);
    }
  }

  private void remove(String target) {
    var page = pages.remove(target);
    if (page != null) {
      cdp.unlisten(page.session());
      if (page.equals(active)) {
        active = pages.isEmpty() ? null : List.copyOf(pages.values()).getLast();
      }
    }
  }

  /** Ends all pages of it. Blocks. */
  void close() {
    pages.values().forEach(page -> cdp.unlisten(page.session()));
    cdp.tell("", "Target.disposeBrowserContext", Cdp.params("browserContextId", id));
    if (proxy != null) {
      proxy.close();
    }
  }
}
