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
import jakarta.inject.Singleton;
import java.net.URI;
import java.util.List;

/** Reads a page of the public web. */
@Singleton
class WebFetch implements Tool {

  private static final int USUAL_CHARS = 64_000;
  private static final int MOST_CHARS = 200_000;
  private static final String ACCEPT = "text/html,application/xhtml+xml,text/*;q=0.9,*/*;q=0.5";

  private static final ToolSpec SPEC =
      Declaration.of(
              "web_fetch",
              "Reads a page of the public web and returns its readable text. At most 2 MiB of it"
                  + " are read, at most 5 redirects followed. Local and private addresses are"
                  + " refused.")
          .effect(Effect.READ)
          .resources(List.of(), List.of())
          .label("Read a web page")
          .in(
              Field.required("url", "string", "An http or https address."),
              Field.optional("maxChars", "integer", "Characters of the text that are kept.")
                  .between(1, MOST_CHARS)
                  .byDefault(IntNode.valueOf(USUAL_CHARS)))
          .out(
              Field.required("url", "string", "The address after all redirects."),
              Field.required("status", "integer", "The HTTP status."),
              Field.required("contentType", "string", "What the page says it is."),
              Field.required("title", "string", "Its title, or nothing."),
              Field.required("text", "string", "Its readable text."),
              Field.required("truncated", "boolean", "True when there is more."))
          .spec();

  private final WebReader reader;

  WebFetch(WebReader reader) {
    this.reader = reader;
  }

  @Override
  public ToolSpec spec() {
    return SPEC;
  }

  @Override
  public String call(ToolCall call) throws ToolException, InterruptedException {
    var args = ToolArgs.of(call);
    var written = args.text("url");
    int most = args.integer("maxChars", USUAL_CHARS, 1, MOST_CHARS);
    try {
      return fetched(call, address(written), most).toString();
    } catch (ToolException e) {
      return failed(String.valueOf(e.getMessage())).toString();
    }
  }

  private static URI address(String written) throws ToolException {
    return WebAddress.read(written)
        .orElseThrow(
            () ->
                new ToolException(
                    "only http and https addresses without credentials are read; "
                        + WebReader.REFUSED));
  }

  private ObjectNode fetched(ToolCall call, URI url, int most)
      throws ToolException, InterruptedException {
    var answer = reader.read(new WebReader.Request(call.owner(), url, ACCEPT, false));
    var page = PageText.of(answer);
    var kept = cut(page.text(), most);
    boolean truncated = answer.cut() || kept.length() < page.text().length();
    var type = answer.contentType();
    return JsonNodeFactory.instance
        .objectNode()
        .put("success", answer.good())
        .put("summary", summary(answer, kept, truncated))
        .put("url", answer.url().toString())
        .put("status", answer.status())
        .put("contentType", type == null ? "" : type)
        .put("title", page.title())
        .put("text", kept)
        .put("truncated", truncated);
  }

  private static String summary(Answer answer, String kept, boolean truncated) {
    var host = answer.url().getHost();
    return answer.good()
        ? "Read " + kept.length() + " characters from " + host + (truncated ? "; cut." : ".")
        : host + " answered with status " + answer.status() + ".";
  }

  private static String cut(String text, int most) {
    if (text.length() <= most) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most;
    return text.substring(0, end);
  }

  /** What a call of the web says that came to nothing. */
  static ObjectNode failed(String why) {
    return JsonNodeFactory.instance.objectNode().put("success", false).put("summary", why);
  }
}
