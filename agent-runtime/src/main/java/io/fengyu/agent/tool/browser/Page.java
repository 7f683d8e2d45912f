package io.fengyu.agent.tool.browser;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.tool.ToolException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** One page: its refs mean something until it goes to another address, or is loaded again. */
final class Page {

  static final Duration USUAL = Duration.ofSeconds(15);

  private static final Duration LOAD_WITHIN = Duration.ofSeconds(20);
  private static final Pattern REF = Pattern.compile("e([1-9][0-9]{0,8})");
  private static final int WIDTH = 1280;
  private static final int HEIGHT = 800;
  private static final String SCRIPT = script();

  private final Cdp cdp;
  private final String targetId;
  private final String session;
  private volatile String frame = "";
  private volatile int world = -1;
  private volatile long firstValid = 1;
  private volatile long nextRef = 1;
  private volatile CompletableFuture<Boolean> loaded = CompletableFuture.completedFuture(true);

  Page(Cdp cdp, String targetId, String session) {
    this.cdp = cdp;
    this.targetId = targetId;
    this.session = session;
  }

  private static String script() {
    try (var in = Page.class.getResourceAsStream("/browser/page.js")) {
      if (in == null) {
        throw new IllegalStateException("/browser/page.js is missing from the program");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String targetId() {
    return targetId;
  }

  String session() {
    return session;
  }

  /** Makes it ready to be used. */
  void begin() throws BrowserGoneException, ToolException, InterruptedException {
    ask("Page.enable", Cdp.params());
    var tree = ask("Page.getFrameTree", Cdp.params());
    frame = tree.path("frameTree").path("frame").path("id").asText();
    ask(
        "Emulation.setDeviceMetricsOverride",
        Cdp.params("width", WIDTH, "height", HEIGHT, "deviceScaleFactor", 1, "mobile", false));
  }

  /** Hears of what happens to it. */
  void heard(String method, JsonNode params) {
    switch (method) {
      case "Page.frameNavigated" -> {
        if (params.path("frame").path("parentId").isMissingNode()) {
          frame = params.path("frame").path("id").asText();
          forget();
        }
      }
      case "Page.loadEventFired" -> loaded.complete(true);
      case "Page.javascriptDialogOpening" ->
          cdp.tell(session, "Page.handleJavaScriptDialog", Cdp.params("accept", false));
      default -> {
        // Nothing that matters here.
      }
    }
  }

  /** From now on refs that were given out mean nothing. */
  void forget() {
    world = -1;
    firstValid = nextRef;
  }

  JsonNode ask(String method, ObjectNode params)
      throws BrowserGoneException, ToolException, InterruptedException {
    return cdp.call(session, method, params, USUAL);
  }

  /** Goes to an address, and waits until the page is there, or as good as there. */
  void navigate(String url) throws BrowserGoneException, ToolException, InterruptedException {
    expectLoad();
    var gone = cdp.call(session, "Page.navigate", Cdp.params("url", url), LOAD_WITHIN);
    var error = gone.path("errorText").asText("");
    if (!error.isEmpty()) {
      throw new ToolException("the page can't be opened: " + error);
    }
    if (gone.hasNonNull("loaderId")) {
      forget();
      awaitLoad();
    }
  }

  void reload() throws BrowserGoneException, ToolException, InterruptedException {
    expectLoad();
    ask("Page.reload", Cdp.params());
    awaitLoad();
    forget();
  }

  /** One step in the history; false when there is none in that direction. */
  boolean step(int direction) throws BrowserGoneException, ToolException, InterruptedException {
    var history = ask("Page.getNavigationHistory", Cdp.params());
    int wanted = history.path("currentIndex").asInt() + direction;
    var entry = history.path("entries").path(wanted);
    if (wanted < 0 || entry.isMissingNode()) {
      return false;
    }
    expectLoad();
    ask("Page.navigateToHistoryEntry", Cdp.params("entryId", entry.path("id").asInt()));
    awaitLoad();
    forget();
    return true;
  }

  private void expectLoad() {
    loaded = new CompletableFuture<>();
  }

  // A page that never finishes can be looked at all the same; one from a cache may load unheard.
  private void awaitLoad() throws BrowserGoneException, ToolException, InterruptedException {
    long deadline = System.nanoTime() + LOAD_WITHIN.toNanos();
    while (System.nanoTime() < deadline) {
      try {
        loaded.get(500, TimeUnit.MILLISECONDS);
        return;
      } catch (TimeoutException notYet) {
        if (complete()) {
          return;
        }
      } catch (ExecutionException impossible) {
        throw new IllegalStateException(impossible);
      }
    }
  }

  private boolean complete() throws BrowserGoneException, InterruptedException {
    try {
      return place().path("state").asText().equals("complete");
    } catch (ToolException between) {
      return false;
    }
  }

  /** Lets what an input set off happen, a page that it leads to included. */
  void settle() throws BrowserGoneException, ToolException, InterruptedException {
    for (int tries = 0; tries < 3; tries++) {
      try {
        evaluate("new Promise(done => setTimeout(done, 150))");
        break;
      } catch (ToolException replaced) {
        world = -1;
      }
    }
    if (!complete()) {
      expectLoad();
      awaitLoad();
    }
  }

  /** The value of an expression of the helper script, such as {@code fengyu.snapshot(100)}. */
  JsonNode evaluate(String expression)
      throws BrowserGoneException, ToolException, InterruptedException {
    return value(
        ask(
            "Runtime.evaluate",
            Cdp.params(
                "expression",
                expression,
                "contextId",
                world(),
                "returnByValue",
                true,
                "awaitPromise",
                true)));
  }

  /** Calls a function of the helper script, such as {@code fengyu.text}, with an element first. */
  JsonNode apply(String element, String function, Object... more)
      throws BrowserGoneException, ToolException, InterruptedException {
    var params =
        Cdp.params(
            "functionDeclaration",
            "function(...more) { return " + function + "(this, ...more); }",
            "objectId",
            element,
            "returnByValue",
            true);
    var arguments = params.putArray("arguments");
    for (var one : more) {
      arguments.add(Cdp.params("value", one));
    }
    return value(ask("Runtime.callFunctionOn", params));
  }

  private static JsonNode value(JsonNode answer) throws ToolException {
    var fault = answer.path("exceptionDetails");
    if (!fault.isMissingNode()) {
      var words = fault.path("exception").path("description").asText(fault.path("text").asText());
      throw new ToolException("the page said: " + words.lines().findFirst().orElse("an error"));
    }
    return answer.path("result").path("value");
  }

  private int world() throws BrowserGoneException, ToolException, InterruptedException {
    int known = world;
    if (known >= 0) {
      return known;
    }
    var made =
        ask("Page.createIsolatedWorld", Cdp.params("frameId", frame, "worldName", "fengyu"))
            .path("executionContextId")
            .asInt();
    value(
        ask(
            "Runtime.evaluate",
            Cdp.params(
                "expression", SCRIPT + ";fengyu.begin(" + nextRef + ")", "contextId", made)));
    world = made;
    return made;
  }

  /** Must follow whatever gives out refs. */
  void countRefs() throws BrowserGoneException, ToolException, InterruptedException {
    nextRef = Math.max(nextRef, evaluate("fengyu.next()").asLong());
  }

  /** The element that a ref names, as the browser calls it. */
  String element(String ref) throws BrowserGoneException, ToolException, InterruptedException {
    var matcher = REF.matcher(ref.strip());
    if (!matcher.matches()) {
      throw new ToolException("not a ref: " + ref + "; refs look like e12");
    }
    long number = Long.parseLong(matcher.group(1));
    if (number >= firstValid && number < nextRef) {
      var found =
          ask(
                  "Runtime.evaluate",
                  Cdp.params("expression", "fengyu.element(" + number + ")", "contextId", world()))
              .path("result");
      var object = found.path("objectId").asText("");
      if (!object.isEmpty() && found.path("subtype").asText().equals("node")) {
        return object;
      }
    }
    throw new ToolException("the ref " + ref + " is stale: look at the page again");
  }

  /** Address, title and state of loading. */
  JsonNode place() throws BrowserGoneException, ToolException, InterruptedException {
    return evaluate("fengyu.place()");
  }

  /** Where the middle of an element is, after it was scrolled into view. */
  Point middle(String element) throws BrowserGoneException, ToolException, InterruptedException {
    ask("DOM.scrollIntoViewIfNeeded", Cdp.params("objectId", element));
    var quad = ask("DOM.getContentQuads", Cdp.params("objectId", element)).path("quads").path(0);
    if (quad.size() != 8) {
      throw new ToolException("the element can't be seen");
    }
    double x = (quad.path(0).asDouble() + quad.path(4).asDouble()) / 2;
    double y = (quad.path(1).asDouble() + quad.path(5).asDouble()) / 2;
    return new Point(x, y);
  }

  /** The middle of what is seen. */
  static Point middle() {
    return new Point(WIDTH / 2.0, HEIGHT / 2.0);
  }

  record Point(double x, double y) {}

  /** Where it is, for people; null while it is between two pages. */
  @Nullable JsonNode placeOrNull() throws BrowserGoneException, InterruptedException {
    try {
      return place();
    } catch (ToolException between) {
      return null;
    }
  }
}
