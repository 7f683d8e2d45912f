package io.fengyu.agent.tool.web;

import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.tool.Declaration;
import io.fengyu.agent.tool.Declaration.Field;
import io.fengyu.agent.tool.Effect;
import io.fengyu.agent.tool.Tool;
import io.fengyu.agent.tool.ToolArgs;
import io.fengyu.agent.tool.ToolCall;
import io.fengyu.agent.tool.ToolException;
import io.fengyu.agent.tool.ToolSpec;
import io.fengyu.agent.tool.WebRules;
import io.fengyu.contract.outbound.TargetPolicy.TargetRefusedException;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.regex.Pattern;

/** Searches the public web. */
@Singleton
class WebSearch implements Tool {

  private static final int USUAL_RESULTS = 5;
  private static final int MOST_RESULTS = 10;
  private static final int LONGEST_QUERY = 1_000;
  private static final String ACCEPT = "text/html,application/json";
  private static final Pattern ADDRESS = Pattern.compile("(?is)\\s*[a-z][a-z0-9+.-]*://.*");

  private static final ToolSpec SPEC =
      Declaration.of(
              "web_search",
              "Searches the public web and returns titles and addresses; web_fetch reads them.")
          .effect(Effect.READ)
          .resources(List.of(), List.of())
          .label("Search the web")
          .in(
              Field.required("query", "string", "What to look for."),
              Field.optional("count", "integer", "How many results at most.")
                  .between(1, MOST_RESULTS)
                  .byDefault(IntNode.valueOf(USUAL_RESULTS)))
          .out(
              Field.required("query", "string", "What was looked for."),
              Field.required("results", "array", "What was found, best first.")
                  .of(
                      Field.required("title", "string", "Title of the page."),
                      Field.required("url", "string", "Its address.")))
          .spec();

  private final WebReader reader;
  private final WebRules rules;
  private final SearchEndpoint endpoint;

  WebSearch(WebReader reader, WebRules rules, SearchEndpoint endpoint) {
    this.reader = reader;
    this.rules = rules;
    this.endpoint = endpoint;
  }

  @Override
  public ToolSpec spec() {
    return SPEC;
  }

  @Override
  public String call(ToolCall call) throws ToolException, InterruptedException {
    var args = ToolArgs.of(call);
    var query = args.text("query").strip();
    int count = args.integer("count", USUAL_RESULTS, 1, MOST_RESULTS);
    try {
      check(query);
      return found(call, query, count).toString();
    } catch (ToolException e) {
      return WebFetch.failed(String.valueOf(e.getMessage())).toString();
    }
  }

  // A search must not be a way to have somebody else call an address that is refused here.
  private void check(String query) throws ToolException, InterruptedException {
    if (query.length() > LONGEST_QUERY) {
      throw new ToolException("the query is longer than " + LONGEST_QUERY + " characters");
    }
    if (!ADDRESS.matcher(query).matches()) {
      return;
    }
    var url = WebAddress.read(query);
    if (url.isEmpty()) {
      throw refused();
    }
    try {
      reader.check(url.get());
    } catch (TargetRefusedException e) {
      if (!e.unknownHost()) {
        throw refused();
      }
    }
  }

  private static ToolException refused() {
    return new ToolException("the query is an address: " + WebReader.REFUSED);
  }

  private ObjectNode found(ToolCall call, String query, int count)
      throws ToolException, InterruptedException {
    var url = endpoint.of(query);
    var answer =
        reader.read(new WebReader.Request(call.owner(), url, ACCEPT, endpoint.operators()));
    if (!answer.good()) {
      throw new ToolException("the search page answered with status " + answer.status());
    }
    var pages =
        SearchResults.in(answer).stream()
            .filter(page -> rules.denying(call.owner(), page.url()).isEmpty())
            .limit(count)
            .toList();
    if (pages.isEmpty()) {
      throw new ToolException("nothing was found for: " + query);
    }
    return result(query, pages);
  }

  private static ObjectNode result(String query, List<FoundPage> pages) {
    var result =
        JsonNodeFactory.instance
            .objectNode()
            .put("success", true)
            .put("summary", "Found " + pages.size() + " page(s).")
            .put("query", query);
    var results = result.putArray("results");
    pages.forEach(
        page -> results.addObject().put("title", page.title()).put("url", page.url().toString()));
    return result;
  }
}
