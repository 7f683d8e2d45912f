package io.fengyu.agent.tool.browser;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.tool.ToolException;
import io.fengyu.agent.tool.browser.BrowserTool.Turn;
import io.fengyu.agent.tool.browser.Page.Point;
import io.fengyu.agent.tool.web.WebAddress;
import java.util.ArrayList;
import java.util.List;

/** What does something with pages. */
final class Acting {

  private static final int MOST_SCROLLED = 5_000;
  private static final int LONGEST_TEXT = 50_000;
  private static final int LONGEST_SCRIPT = 20_000;
  private static final int LONGEST_VALUE = 64_000;

  private Acting() {}

  static ObjectNode navigate(Turn turn)
      throws BrowserGoneException, ToolException, InterruptedException {
    return navigate(turn, turn.page(), turn.args().text("url"));
  }

  static ObjectNode newTab(Turn turn)
      throws BrowserGoneException, ToolException, InterruptedException {
    var url = turn.args().optionalText("url");
    var page = turn.context().newPage();
    return url == null
        ? BrowserTool.success("A new tab.", turn, page).put("tabId", page.targetId())
        : navigate(turn, page, url).put("tabId", page.targetId());
  }

  private static ObjectNode navigate(Turn turn, Page page, String written)
      throws BrowserGoneException, ToolException, InterruptedException {
    var gate = turn.context().gate();
    var unused = gate.refusal();
    var url = WebAddress.read(written).map(String::valueOf).orElse(written);
    if (gate.open(url).isEmpty()) {
      throw new ToolException(gate.refusal().orElse("the address is refused"));
    }
    try {
      page.navigate(url);
    } catch (ToolException e) {
      throw new ToolException(e.getMessage() + gate.refusal().map(why -> "; " + why).orElse(""));
    }
    return BrowserTool.success("The page is open.", turn, page);
  }

  static ObjectNode selectTab(Turn turn)
      throws BrowserGoneException, ToolException, InterruptedException {
    var page = tab(turn);
    turn.context().select(page);
    return BrowserTool.success("The tab is in front.", turn, page);
  }

  static ObjectNode closeTab(Turn turn)
      throws BrowserGoneException, ToolException, InterruptedException {
    turn.context().close(tab(turn));
    return BrowserTool.success("The tab is closed.");
  }

  private static Page tab(Turn turn)
      throws BrowserGoneException, ToolException, InterruptedException {
    var id = turn.args().text("tabId");
    return turn.context().pages().stream()
        .filter(page -> page.targetId().equals(id))
        .findFirst()
        .orElseThrow(() -> new ToolException("there is no tab " + id));
  }

  static ObjectNode back(Turn turn)
      throws BrowserGoneException, ToolException, InterruptedException {
    return step(turn, -1, "back");
  }

  static ObjectNode forward(Turn turn)
      throws BrowserGoneException, ToolException, InterruptedException {
    return step(turn, 1, "forward");
  }

  private static ObjectNode step(Turn turn, int direction, String word)
      throws BrowserGoneException, ToolException, InterruptedException {
    var page = turn.page();
    if (!page.step(direction)) {
      throw new ToolException("there is no page to go " + word + " to");
    }
    return BrowserTool.success("Went " + word + "; earlier refs are stale.", turn, page);
  }

  static ObjectNode reload(Turn turn)
      throws BrowserGoneException, ToolException, InterruptedException {
    var page = turn.page();
    page.reload();
    return BrowserTool.success("Loaded again; earlier refs are stale.", turn, page);
  }

  static ObjectNode click(Turn turn)
      throws BrowserGoneException, ToolException, InterruptedException {
    var page = turn.page();
    var point = page.middle(page.element(turn.args().text("ref")));
    int times = turn.args().flag("double", false) ? 2 : 1;
    mouse(page, "mouseMoved", point, 0);
    for (int time = 1; time <= times; time++) {
      mouse(page, "mousePressed", point, time);
      mouse(page, "mouseReleased", point, time);
    }
    page.settle();
    return BrowserTool.success("Clicked.", turn, page);
  }

  static ObjectNode hover(Turn turn)
      throws BrowserGoneException, ToolException, InterruptedException {
    var page = turn.page();
    mouse(page, "mouseMoved", page.middle(page.element(turn.args().text("ref"))), 0);
    page.settle();
    return BrowserTool.success("The pointer is over it.", turn, page);
  }

  private static void mouse(Page page, String type, Point at, int count)
      throws BrowserGoneException, ToolException, InterruptedException {
    var unused =
        page.ask(
            "Input.dispatchMouseEvent",
            Cdp.params(
                "type",
                type,
                "x",
                at.x(),
                "y",
                at.y(),
                "button",
                count == 0 ? "none" : "left",
                "clickCount",
                count));
  }

  static ObjectNode scroll(Turn turn)
      throws BrowserGoneException, ToolException, InterruptedException {
    var page = turn.page();
    int right = turn.args().integer("deltaX", 0, -MOST_SCROLLED, MOST_SCROLLED);
    int down = turn.args().integer("deltaY", 0, -MOST_SCROLLED, MOST_SCROLLED);
    var ref = turn.args().optionalText("ref");
    var at = ref == null ? Page.middle() : page.middle(page.element(ref));
    page.ask(
        "Input.dispatchMouseEvent",
        Cdp.params(
            "type", "mouseWheel", "x", at.x(), "y", at.y(), "deltaX", right, "deltaY", down));
    page.settle();
    return BrowserTool.success("Scrolled.", turn, page);
  }

  static ObjectNode type(Turn turn)
      throws BrowserGoneException, ToolException, InterruptedException {
    var page = turn.page();
    var text = turn.args().anyText("text");
    if (text.length() > LONGEST_TEXT) {
      throw new ToolException("the text is longer than " + LONGEST_TEXT + " characters");
    }
    var element = page.element(turn.args().text("ref"));
    if (!page.apply(element, "fengyu.editable").asBoolean()) {
      throw new ToolException("nothing can be typed into that element");
    }
    page.ask("DOM.focus", Cdp.params("objectId", element));
    if (turn.args().flag("clear", true)) {
      page.apply(element, "fengyu.clear");
      press(page, "Delete");
    }
    page.ask("Input.insertText", Cdp.params("text", text));
    if (turn.args().flag("submit", false)) {
      press(page, "Enter");
    }
    page.settle();
    return BrowserTool.success("Typed " + text.length() + " character(s).", turn, page);
  }

  static ObjectNode press(Turn turn)
      throws BrowserGoneException, ToolException, InterruptedException {
    var page = turn.page();
    var ref = turn.args().optionalText("ref");
    if (ref != null) {
      page.ask("DOM.focus", Cdp.params("objectId", page.element(ref)));
    }
    press(page, turn.args().anyText("key"));
    page.settle();
    return BrowserTool.success("Pressed.", turn, page);
  }

  private static void press(Page page, String key)
      throws BrowserGoneException, ToolException, InterruptedException {
    for (var event : Keys.press(key)) {
      var unused = page.ask("Input.dispatchKeyEvent", event);
    }
  }

  static ObjectNode selectOption(Turn turn)
      throws BrowserGoneException, ToolException, InterruptedException {
    var page = turn.page();
    var chosen =
        page.apply(page.element(turn.args().text("ref")), "fengyu.select", strings(turn, "values"));
    if (chosen.has("error")) {
      throw new ToolException(chosen.path("error").asText());
    }
    page.settle();
    var result = BrowserTool.success("Chosen.", turn, page);
    result.set("selected", chosen.path("selected"));
    return result;
  }

  private static List<String> strings(Turn turn, String name) throws ToolException {
    JsonNode given = turn.args().given(name);
    var all = new ArrayList<String>();
    if (given != null && given.isArray()) {
      given.forEach(one -> all.add(one.asText()));
    }
    if (all.isEmpty()) {
      throw new ToolException("argument '" + name + "' must be a list of strings");
    }
    return all;
  }

  static ObjectNode evaluate(Turn turn)
      throws BrowserGoneException, ToolException, InterruptedException {
    var page = turn.page();
    var script = turn.args().text("expression");
    if (script.length() > LONGEST_SCRIPT) {
      throw new ToolException("the expression is longer than " + LONGEST_SCRIPT + " characters");
    }
    var answer =
        page.ask(
            "Runtime.evaluate",
            Cdp.params(
                "expression",
                script,
                "returnByValue",
                true,
                "awaitPromise",
                true,
                "timeout",
                10_000));
    if (answer.has("exceptionDetails")) {
      var fault = answer.path("exceptionDetails");
      throw new ToolException(
          "the script failed: "
              + fault.path("exception").path("description").asText(fault.path("text").asText()));
    }
    page.settle();
    var value = answer.path("result").path("value").toString();
    boolean cut = value.length() > LONGEST_VALUE;
    return BrowserTool.success("Evaluated.", turn, page)
        .put("value", cut ? value.substring(0, LONGEST_VALUE) : value)
        .put("truncated", cut);
  }
}
