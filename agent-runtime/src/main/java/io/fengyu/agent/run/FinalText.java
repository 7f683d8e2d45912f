package io.fengyu.agent.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.regex.Pattern;

/** The last words of a run in the form that was asked for. */
final class FinalText {

  private static final Pattern FENCED =
      Pattern.compile("```[A-Za-z0-9]*\\s*\\n(.*?)```", Pattern.DOTALL);

  private FinalText() {}

  static String of(String format, String text) {
    return format.equals("json") ? json(text.strip()) : text;
  }

  // A model that adds a fence, or a word, all the same has its JSON taken out of it; words alone
  // become a JSON value.
  private static String json(String text) {
    if (isJson(text)) {
      return text;
    }
    var fenced = FENCED.matcher(text);
    while (fenced.find()) {
      if (isJson(fenced.group(1).strip())) {
        return fenced.group(1).strip();
      }
    }
    var inside = between(text, '{', '}');
    if (!isJson(inside)) {
      inside = between(text, '[', ']');
    }
    return isJson(inside)
        ? inside
        : JsonNodeFactory.instance.objectNode().put("text", text).toString();
  }

  private static String between(String text, char first, char last) {
    int from = text.indexOf(first);
    int to = text.lastIndexOf(last);
    return from < 0 || to < from ? "" : text.substring(from, to + 1);
  }

  private static boolean isJson(String text) {
    JsonNode value = Json.valueOf(text);
    return !(value instanceof TextNode words) || !words.textValue().equals(text);
  }
}
