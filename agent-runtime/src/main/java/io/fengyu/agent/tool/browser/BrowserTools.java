package io.fengyu.agent.tool.browser;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.tool.Declaration;
import io.fengyu.agent.tool.Declaration.Field;
import io.fengyu.agent.tool.Effect;
import io.fengyu.agent.tool.InnerRules;
import io.fengyu.agent.tool.Tool;
import io.fengyu.agent.tool.ToolArgs;
import io.fengyu.agent.tool.ToolException;
import io.fengyu.agent.tool.ToolSource;
import io.fengyu.agent.tool.ToolSpec;
import io.fengyu.agent.tool.browser.BrowserTool.Action;
import io.fengyu.agent.tool.browser.BrowserTool.Turn;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The tools of the browser; none where there is no browser to try. */
@Singleton
class BrowserTools implements ToolSource {

  private static final int MOST_STEPS = 20;
  private static final String PLAIN =
      " For looking something up, web_search and web_fetch are the better choice; the browser is for"
          + " navigation, page state, logins and interaction.";

  private final Map<String, BrowserTool> all = new LinkedHashMap<>();
  private final Contexts contexts;
  private final InnerRules rules;
  private final List<Tool> offered;

  BrowserTools(Contexts contexts, Browser browser, InnerRules rules) {
    this.contexts = contexts;
    this.rules = rules;
    looking();
    acting();
    offered = browser.known() ? List.copyOf(all.values()) : List.of();
  }

  @Override
  public int rank() {
    return SHIPPED + 1;
  }

  @Override
  public Uni<List<Tool>> tools(String owner) {
    return Uni.createFrom().item(offered);
  }

  private void looking() {
    read(
        "snapshot",
        "Shows the page as an outline; what can be acted on has a ref such as e12.",
        Looking::snapshot);
    read(
        "screenshot",
        "Takes a picture of the page, with its outline and its accessibility tree.",
        Looking::screenshot,
        flag("fullPage", "True for the whole page, up to 6000 points of height."));
    read(
        "find",
        "Finds elements by their text and gives them refs.",
        Looking::find,
        Field.required("text", "string", "Text, in any case."),
        mostResults());
    read(
        "query",
        "Finds elements by a CSS selector and gives them refs.",
        Looking::query,
        Field.required("selector", "string", "The selector."),
        mostResults());
    read(
        "get_text",
        "Reads the text of the page or of an element.",
        Looking::text,
        Field.optional("ref", "string", "The element; the page when left out."),
        Field.optional("maxChars", "integer", "Characters kept.").between(1, 200_000));
    read(
        "wait_for",
        "Waits until a text or an element is there, or gone.",
        Looking::waitFor,
        Field.optional("text", "string", "Text of the page."),
        Field.optional("selector", "string", "A CSS selector."),
        flag("gone", "True to wait until it is gone."),
        Field.optional("timeoutMs", "integer", "How long at most.").between(1, 30_000));
    read("tabs", "Lists the open tabs.", Looking::tabs);
  }

  private void acting() {
    does(
        "navigate",
        "Opens an address in the current tab." + PLAIN,
        Acting::navigate,
        Field.required("url", "string", "An http or https address; local ones are refused."));
    does(
        "new_tab",
        "Opens a new tab, with an address if one is given." + PLAIN,
        Acting::newTab,
        Field.optional("url", "string", "An http or https address; local ones are refused."));
    does("select_tab", "Brings a tab to the front.", Acting::selectTab, tab());
    does("close_tab", "Closes a tab.", Acting::closeTab, tab());
    does("back", "Goes back in the history; all refs become stale.", Acting::back);
    does("forward", "Goes forward in the history; all refs become stale.", Acting::forward);
    does("reload", "Loads the page again; all refs become stale.", Acting::reload);
    does(
        "click",
        "Clicks an element.",
        Acting::click,
        ref(),
        flag("double", "True for a double click."));
    does("hover", "Moves the pointer over an element.", Acting::hover, ref());
    does(
        "scroll",
        "Turns the mouse wheel over an element, or over the middle of the page.",
        Acting::scroll,
        Field.optional("ref", "string", "The element."),
        Field.optional("deltaX", "integer", "Points to the right.").between(-5_000, 5_000),
        Field.optional("deltaY", "integer", "Points down.").between(-5_000, 5_000));
    does(
        "type",
        "Types text into a field.",
        Acting::type,
        ref(),
        Field.required("text", "string", "The text."),
        Field.optional("clear", "boolean", "False to keep what is there.")
            .byDefault(BooleanNode.TRUE),
        flag("submit", "True to press Enter afterwards."));
    does(
        "press",
        "Presses a key, such as Enter or Control+A, on an element or on the page.",
        Acting::press,
        Field.required("key", "string", "The key, with others held down before it."),
        Field.optional("ref", "string", "The element; the page when left out."));
    does(
        "select_option",
        "Chooses options of a list, and reads back what is chosen.",
        Acting::selectOption,
        ref(),
        Field.required("values", "array", "Values or labels.").ofType("string"));
    does(
        "eval_js",
        "Evaluates an expression of JavaScript in the page.",
        Acting::evaluate,
        Field.required("expression", "string", "The expression; a promise is waited for."));
    does(
        "batch",
        "Does several of these things one after the other, up to the first that fails.",
        this::batch,
        Field.required("steps", "array", "At most 20.")
            .of(
                Field.required("tool", "string", "Such as browser_click."),
                Field.optional("args", "object", "Its arguments.")));
    all.put(
        "browser_close",
        new BrowserTool(
            spec("close", Effect.EXTERNAL, "Closes all tabs, with cookies and logins."),
            contexts,
            this::close));
  }

  private ObjectNode close(Turn turn) throws InterruptedException {
    contexts.close(turn.call());
    return BrowserTool.success("Closed.");
  }

  /** What a rule would deny, or ask about, alone, does not happen as a part either. */
  private ObjectNode batch(Turn turn)
      throws BrowserGoneException, ToolException, InterruptedException {
    JsonNode steps = turn.args().given("steps");
    if (steps == null || !steps.isArray() || steps.isEmpty() || steps.size() > MOST_STEPS) {
      throw new ToolException("argument 'steps' must be a list of 1 to " + MOST_STEPS);
    }
    var result = BrowserTool.success("");
    var results = result.putArray("results");
    for (var step : steps) {
      var answer = one(turn, step);
      results.add(answer);
      if (!answer.path("success").asBoolean()) {
        return result
            .put("success", false)
            .put("summary", "Step " + results.size() + ": " + answer.path("summary").asText());
      }
    }
    return result.put("summary", results.size() + " step(s) done.");
  }

  private ObjectNode one(Turn turn, JsonNode step)
      throws BrowserGoneException, InterruptedException {
    var name = step.path("tool").asText();
    var tool = all.get(name);
    var given = step.path("args");
    if (tool == null || name.equals("browser_batch") || name.equals("browser_screenshot")) {
      return BrowserTool.failed("no such step: " + name);
    }
    var args = given instanceof ObjectNode object ? object : JsonNodeFactory.instance.objectNode();
    var rule = rules.restricting(turn.call().owner(), tool.spec(), args);
    if (rule.isPresent()) {
      return BrowserTool.failed("refused by rule " + rule.get());
    }
    try {
      return tool.action().act(new Turn(turn.call(), ToolArgs.of(args), turn.context()));
    } catch (ToolException e) {
      return BrowserTool.failed(String.valueOf(e.getMessage()));
    }
  }

  private void read(String name, String description, Action action, Field... in) {
    add(name, Effect.READ, description, action, in);
  }

  private void does(String name, String description, Action action, Field... in) {
    add(name, Effect.EXTERNAL, description, action, in);
  }

  private void add(String name, Effect effect, String description, Action action, Field... in) {
    all.put(
        "browser_" + name, new BrowserTool(spec(name, effect, description, in), contexts, action));
  }

  private static ToolSpec spec(String name, Effect effect, String description, Field... in) {
    return Declaration.of("browser_" + name, description)
        .effect(effect)
        .resources(
            effect == Effect.READ ? List.of("browser") : List.of(),
            effect == Effect.READ ? List.of() : List.of("browser"))
        .label("Browser: " + name.replace('_', ' '))
        .in(in)
        .spec();
  }

  private static Field ref() {
    return Field.required("ref", "string", "The element, as browser_snapshot names it.");
  }

  private static Field tab() {
    return Field.required("tabId", "string", "The tab, as browser_tabs names it.");
  }

  private static Field mostResults() {
    return Field.optional("maxResults", "integer", "How many at most.")
        .between(1, 100)
        .byDefault(IntNode.valueOf(20));
  }

  private static Field flag(String name, String description) {
    return Field.optional(name, "boolean", description).byDefault(BooleanNode.FALSE);
  }
}
