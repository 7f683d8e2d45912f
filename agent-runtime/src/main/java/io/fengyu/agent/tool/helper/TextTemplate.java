package io.fengyu.agent.tool.helper;

import com.fasterxml.jackson.databind.JsonNode;
import io.fengyu.agent.tool.Declaration;
import io.fengyu.agent.tool.Declaration.Field;
import io.fengyu.agent.tool.Effect;
import io.fengyu.agent.tool.Tool;
import io.fengyu.agent.tool.ToolArgs;
import io.fengyu.agent.tool.ToolCall;
import io.fengyu.agent.tool.ToolException;
import io.fengyu.agent.tool.ToolSpec;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Fills named places of a text with values. */
@Singleton
class TextTemplate implements Tool {

  // ${name}: the double braces belong to references, which are resolved before a tool is called.
  private static final Pattern PLACE = Pattern.compile("\\$\\{([\\p{L}\\p{N}_-]{1,64})\\}");
  private static final int LONGEST = 1 << 20;

  private static final ToolSpec SPEC =
      Declaration.of(
              "text_template",
              "Fills ${name} places of a text with values and returns the text. A place without"
                  + " a value is an error.")
          .effect(Effect.READ)
          .resources(List.of(), List.of())
          .label("Fill in text")
          .in(
              Field.required("template", "string", "Text with ${name} places."),
              Field.optional("values", "object", "A value for each place."))
          .spec();

  @Override
  public ToolSpec spec() {
    return SPEC;
  }

  @Override
  public String call(ToolCall call) throws ToolException {
    var args = ToolArgs.of(call);
    var values = args.given("values");
    var places = PLACE.matcher(args.anyText("template"));
    var filled = new StringBuilder();
    while (places.find()) {
      places.appendReplacement(filled, Matcher.quoteReplacement(value(values, places.group(1))));
      if (filled.length() > LONGEST) {
        throw new ToolException("the filled text is longer than " + LONGEST + " characters");
      }
    }
    return places.appendTail(filled).toString();
  }

  private static String value(@Nullable JsonNode values, String name) throws ToolException {
    var value = values == null ? null : values.get(name);
    if (value == null || value.isNull()) {
      throw new ToolException("no value for ${" + name + "}");
    }
    return value.isValueNode() ? value.asText() : value.toString();
  }
}
