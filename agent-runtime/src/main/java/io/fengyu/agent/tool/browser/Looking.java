package io.fengyu.agent.tool.browser;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.fengyu.agent.tool.ToolException;
import io.fengyu.agent.tool.browser.BrowserTool.Turn;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** What only looks at pages. */
final class Looking {

  private static final int SNAPSHOT_CHARS = 60_000;
  private static final int TREE_CHARS = 20_000;
  private static final int TEXT_CHARS = 64_000;
  private static final int MOST_MATCHES = 100;
  private static final int LONGEST_WAIT_MS = 30_000;
  private static final int TALLEST = 6_000;
  private static final Set<String> DULL =
      Set.of("none", "generic", "InlineTextBox", "LineBreak", "StaticText", "ListMarker");

  private Looking() {}

  static ObjectNode snapshot(Turn turn)
      throws BrowserGoneException, ToolException, InterruptedException {
    var page = turn.page();
    var seen = page.evaluate("fengyu.snapshot(" + SNAPSHOT_CHARS + ")");
    page.countRefs();
    return BrowserTool.success("What the page shows.", turn, page)
        .put("snapshot", seen.path("text").asText())
        .put("truncated", seen.path("truncated").asBoolean());
  }

  static ObjectNode screenshot(Turn turn)
      throws BrowserGoneException, ToolException, InterruptedException {
    var page = turn.page();
    boolean whole = turn.args().flag("fullPage", false);
    var picture =
        page.ask("Page.captureScreenshot", whole ? all(page) : Cdp.params("format", "png"));
    var result = snapshot(turn).put("summary", "A picture of the page, and what it shows.");
    return result
        .put("accessibility", tree(page))
        .put("mimeType", "image/png")
        .put("imageBase64", picture.path("data").asText());
  }

  private static ObjectNode all(Page page)
      throws BrowserGoneException, ToolException, InterruptedException {
    var size = page.ask("Page.getLayoutMetrics", Cdp.params()).path("cssContentSize");
    var clip =
        Cdp.params(
            "x", 0,
            "y", 0,
            "width", Math.clamp(size.path("width").asInt(), 1, 2_000),
            "height", Math.clamp(size.path("height").asInt(), 1, TALLEST),
            "scale", 1);
    return Cdp.params("format", "png", "captureBeyondViewport", true, "clip", clip);
  }

  private static String tree(Page page)
      throws BrowserGoneException, ToolException, InterruptedException {
    var out = new StringBuilder();
    Map<String, Integer> depths = new HashMap<>();
    for (var node : page.ask("Accessibility.getFullAXTree", Cdp.params()).path("nodes")) {
      var role = node.path("role").path("value").asText();
      var name = node.path("name").path("value").asText();
      boolean shown = !node.path("ignored").asBoolean() && !DULL.contains(role);
      int depth = depths.getOrDefault(node.path("parentId").asText(""), 0);
      depths.put(node.path("nodeId").asText(), shown ? depth + 1 : depth);
      if (shown && out.length() < TREE_CHARS) {
        out.append("  ".repeat(Math.min(depth, 12))).append(role);
        out.append(name.isEmpty() ? "" : " " + TextNode.valueOf(name)).append('\n');
      }
    }
    return out.toString();
  }

  static ObjectNode find(Turn turn)
      throws BrowserGoneException, ToolException, InterruptedException {
    var text = TextNode.valueOf(turn.args().text("text"));
    return matches(turn, "fengyu.find(" + text + "," + most(turn) + ")");
  }

  static ObjectNode query(Turn turn)
      throws BrowserGoneException, ToolException, InterruptedException {
    var selector = TextNode.valueOf(turn.args().text("selector"));
    return matches(turn, "fengyu.query(" + selector + "," + most(turn) + ")");
  }

  private static int most(Turn turn) throws ToolException {
    return turn.args().integer("maxResults", 20, 1, MOST_MATCHES);
  }

  private static ObjectNode matches(Turn turn, String expression)
      throws BrowserGoneException, ToolException, InterruptedException {
    var page = turn.page();
    var found = page.evaluate(expression);
    page.countRefs();
    int count = found.path("matches").size();
    var result = BrowserTool.success("Found " + count + " element(s).", turn, page);
    result.setAll((ObjectNode) found);
    return count > 0 ? result : result.put("success", false);
  }

  static ObjectNode text(Turn turn)
      throws BrowserGoneException, ToolException, InterruptedException {
    var page = turn.page();
    var ref = turn.args().optionalText("ref");
    int most = turn.args().integer("maxChars", TEXT_CHARS, 1, 200_000);
    JsonNode text =
        ref == null
            ? page.evaluate("fengyu.text(null," + most + ")")
            : page.apply(page.element(ref), "fengyu.text", most);
    return BrowserTool.success("The text.", turn, page)
        .put("text", text.path("text").asText())
        .put("truncated", text.path("truncated").asBoolean());
  }

  static ObjectNode waitFor(Turn turn)
      throws BrowserGoneException, ToolException, InterruptedException {
    var page = turn.page();
    int within = turn.args().integer("timeoutMs", 10_000, 1, LONGEST_WAIT_MS);
    var condition = condition(turn);
    boolean wanted = !turn.args().flag("gone", false);
    long deadline = System.nanoTime() + within * 1_000_000L;
    do {
      if (holds(page, condition) == wanted) {
        return BrowserTool.success("It is so.", turn, page);
      }
      Thread.sleep(150);
    } while (System.nanoTime() < deadline);
    throw new ToolException("it was not so within " + within + " ms");
  }

  private static String condition(Turn turn) throws ToolException {
    var text = turn.args().optionalText("text");
    var selector = turn.args().optionalText("selector");
    if ((text == null) == (selector == null)) {
      throw new ToolException("give either 'text' or 'selector'");
    }
    return text == null
        ? "document.querySelector(" + TextNode.valueOf(selector) + ") !== null"
        : "(document.body?.innerText || '').includes(" + TextNode.valueOf(text) + ")";
  }

  // Between two pages nothing holds.
  private static boolean holds(Page page, String condition)
      throws BrowserGoneException, ToolException, InterruptedException {
    return page.placeOrNull() != null && page.evaluate(condition).asBoolean();
  }

  static ObjectNode tabs(Turn turn)
      throws BrowserGoneException, ToolException, InterruptedException {
    var result = BrowserTool.success("");
    var tabs = result.putArray("tabs");
    for (var page : turn.context().pages()) {
      var place = page.placeOrNull();
      tabs.addObject()
          .put("tabId", page.targetId())
          .put("url", place == null ? "" : place.path("url").asText())
          .put("title", place == null ? "" : place.path("title").asText())
          .put("active", turn.context().isActive(page));
    }
    return result.put("summary", tabs.size() + " tab(s) are open.");
  }
}
