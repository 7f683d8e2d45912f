package io.fengyu.agent.tool.helper;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
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

/** Checks JSON text and lays it out for reading. */
@Singleton
class JsonFormat implements Tool {

  private static final ObjectReader READER =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
          .build()
          .readerFor(JsonNode.class);

  private static final ToolSpec SPEC =
      Declaration.of(
              "json_format",
              "Checks that a text is valid JSON and returns it indented. A value that already is"
                  + " JSON (from a reference) is returned indented as it is.")
          .effect(Effect.READ)
          .resources(List.of(), List.of())
          .label("Format JSON")
          .in(Field.required("json", "any", "JSON text, or a JSON value from a reference."))
          .spec();

  @Override
  public ToolSpec spec() {
    return SPEC;
  }

  @Override
  public String call(ToolCall call) throws ToolException {
    var json = ToolArgs.of(call).given("json");
    if (json == null) {
      throw new ToolException("argument 'json' is missing");
    }
    return (json.isTextual() ? parse(json.textValue()) : json).toPrettyString();
  }

  private static JsonNode parse(String text) throws ToolException {
    if (text.isBlank()) {
      throw new ToolException("argument 'json' is empty");
    }
    try {
      return READER.readValue(text);
    } catch (JsonProcessingException e) {
      throw new ToolException("not valid JSON" + where(e));
    } catch (NumberFormatException e) {
      throw new ToolException("not valid JSON: a number is beyond all bounds");
    }
  }

  private static String where(JsonProcessingException e) {
    var at = e.getLocation();
    return at == null ? "" : " at line " + at.getLineNr() + ", column " + at.getColumnNr();
  }
}
