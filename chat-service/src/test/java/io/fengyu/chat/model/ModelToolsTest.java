package io.fengyu.chat.model;

import static io.fengyu.chat.model.ModelWorld.tree;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fengyu.contract.model.ModelBlock;
import io.fengyu.contract.model.ModelEvent;
import io.fengyu.contract.model.ModelStreamRequest;
import io.fengyu.contract.model.ModelStreamRequest.Image;
import io.fengyu.contract.model.ModelStreamRequest.Message;
import io.fengyu.contract.model.ModelStreamRequest.Tool;
import io.fengyu.contract.model.ModelTurn;
import io.fengyu.testing.model.Answer;
import io.fengyu.testing.model.ModelServer;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
class ModelToolsTest {

  private static final ModelServer PROVIDER = ModelServer.start();
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Tool ADD =
      new Tool(
          "add",
          "Adds",
          JSON.createObjectNode()
              .put("type", "object")
              .set(
                  "properties",
                  JSON.createObjectNode().set("a", JSON.createObjectNode().put("type", "number"))));

  private final ModelWorld world = new ModelWorld(PROVIDER);

  @BeforeEach
  void forget() {
    PROVIDER.reset();
  }

  @AfterAll
  static void stop() {
    PROVIDER.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"local", "openai", "anthropic", "deepseek"})
  void theToolsAreOfferedInTheWordsOfEachProvider(String mode) {
    PROVIDER.next(Answer.saying("ok"));

    ask(mode, List.of(Message.user("Hi")));

    var tool = PROVIDER.request(1).json().at("/tools/0");
    var expected =
        mode.equals("anthropic")
            ? "{'name':'add','description':'Adds','input_schema':%s}"
            : "{'type':'function','function':{'name':'add','description':'Adds','parameters':%s}}";
    assertThat(tool).isEqualTo(json(expected.formatted(ADD.schema())));
  }

  @ParameterizedTest
  @ValueSource(strings = {"local", "openai", "anthropic", "deepseek"})
  void aTurnWithThinkingCallsAndUsageComesWholeAndGoesBackUnchanged(String mode) {
    PROVIDER.next(
        Answer.stream()
            .thinking("let ", "me")
            .signature("c2ln")
            .text("I look.")
            .toolCall(0, "call_a", "add", "{\"a\"", ": 1.50}")
            .toolCall(1, "call_b", "add", "{\"a\":2}")
            .usage(11, 8)
            .finish("tool_calls")
            .inPieces(7),
        Answer.saying("3.5"));

    var turn = turn(ask(mode, List.of(Message.user("Add"))));
    var calls = ModelTurn.calls(turn.blocks());
    ask(
        mode,
        List.of(
            Message.user("Add"),
            Message.assistant(turn.blocks()),
            Message.result(calls.get(0).id(), "1.50", true, List.of()),
            Message.result(calls.get(1).id(), "no", false, List.of())));

    assertThat(turn.usage()).isEqualTo(new ModelEvent.Usage(11, 8));
    assertThat(ModelTurn.text(turn.blocks())).isEqualTo("I look.");
    assertThat(calls).extracting(ModelBlock.Call::name).containsExactly("add", "add");
    var messages = PROVIDER.request(2).json().path("messages");
    switch (mode) {
      case "anthropic" ->
          assertThat(messages)
              .isEqualTo(
                  json(
                      "[{'role':'user','content':[{'type':'text','text':'Add'}]},"
                          + "{'role':'assistant','content':["
                          + "{'type':'thinking','thinking':'let me','signature':'c2ln'},"
                          + "{'type':'text','text':'I look.'},"
                          + "{'type':'tool_use','id':'call_a','name':'add','input':{'a':1.50}},"
                          + "{'type':'tool_use','id':'call_b','name':'add','input':{'a':2}}]},"
                          + "{'role':'user','content':["
                          + "{'type':'tool_result','tool_use_id':'call_a',"
                          + "'content':[{'type':'text','text':'1.50'}]},"
                          + "{'type':'tool_result','tool_use_id':'call_b','is_error':true,"
                          + "'content':[{'type':'text','text':'no'}]}]}]"));
      case "local" ->
          assertThat(messages)
              .isEqualTo(
                  json(
                      "[{'role':'user','content':'Add'},"
                          + "{'role':'assistant','content':'I look.','thinking':'let me',"
                          + "'tool_calls':[{'function':{'name':'add','arguments':{'a':1.50}}},"
                          + "{'function':{'name':'add','arguments':{'a':2}}}]},"
                          + "{'role':'tool','content':'1.50','tool_name':'add'},"
                          + "{'role':'tool','content':'no','tool_name':'add'}]"));
      default -> {
        var reasoning = mode.equals("deepseek") ? "'reasoning_content':'let me'," : "";
        assertThat(messages)
            .isEqualTo(
                json(
                    "[{'role':'user','content':'Add'},"
                        + "{'role':'assistant','content':'I look.',"
                        + reasoning
                        + "'tool_calls':[{'id':'call_a','type':'function','function':"
                        + "{'name':'add','arguments':'{\\'a\\': 1.50}'}},"
                        + "{'id':'call_b','type':'function','function':"
                        + "{'name':'add','arguments':'{\\'a\\':2}'}}]},"
                        + "{'role':'tool','tool_call_id':'call_a','content':'1.50'},"
                        + "{'role':'tool','tool_call_id':'call_b','content':'no'}]"));
      }
    }
  }

  @Test
  void thinkingBetweenCallsKeepsItsPlace() {
    PROVIDER.next(
        Answer.stream()
            .thinking("first")
            .signature("c2ln")
            .redactedThinking("aGlkZGVu")
            .toolCall(0, "call_a", "add", "{}")
            .thinking("second")
            .signature("c2lnMg")
            .toolCall(1, "call_b", "add", "{}")
            .finish("tool_calls"),
        Answer.saying("ok"));

    var turn = turn(ask("anthropic", List.of(Message.user("Add"))));
    ask(
        "anthropic",
        List.of(
            Message.user("Add"),
            Message.assistant(turn.blocks()),
            Message.result("call_a", "1", true, List.of()),
            Message.result("call_b", "2", true, List.of())));

    assertThat(PROVIDER.request(2).json().at("/messages/1/content"))
        .isEqualTo(
            json(
                "[{'type':'thinking','thinking':'first','signature':'c2ln'},"
                    + "{'type':'redacted_thinking','data':'aGlkZGVu'},"
                    + "{'type':'tool_use','id':'call_a','name':'add','input':{}},"
                    + "{'type':'thinking','thinking':'second','signature':'c2lnMg'},"
                    + "{'type':'tool_use','id':'call_b','name':'add','input':{}}]"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"openai", "anthropic", "deepseek"})
  void argumentsThatAreNoJsonReachTheCallerAsWrittenAndTheProviderAsAnObject(String mode) {
    PROVIDER.next(Answer.calling("call_a", "add", "{\"a\": oops"), Answer.saying("ok"));

    var turn = turn(ask(mode, List.of(Message.user("Add"))));
    ask(
        mode,
        List.of(
            Message.user("Add"),
            Message.assistant(turn.blocks()),
            Message.result("call_a", "the arguments are no JSON", false, List.of())));

    assertThat(ModelTurn.calls(turn.blocks()).getFirst().arguments()).isEqualTo("{\"a\": oops");
    var sent = PROVIDER.request(2).json().path("messages").get(1);
    if (mode.equals("anthropic")) {
      assertThat(sent.at("/content/0/input")).isEqualTo(json("{}"));
    } else {
      assertThat(sent.at("/tool_calls/0/function/arguments").asText()).isEqualTo("{}");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"local", "openai", "anthropic", "deepseek"})
  void anEndpointThatReadsWordsOnlyIsAskedOnceMoreWithoutPicturesAndThenAlways(String mode) {
    try (var provider = ModelServer.start()) {
      var ownWorld = new ModelWorld(provider);
      provider.next(
          Answer.failing(400, "invalid_request_error", "content must be a string"),
          Answer.saying("ok"),
          Answer.saying("ok"));
      var conversation =
          List.of(
              Message.user("Look"),
              Message.assistant(List.of(new ModelBlock.Call("call_a", "shot", "{}"))),
              Message.result(
                  "call_a", "a page", true, List.of(new Image("image/png", "aWtvbg=="))));

      var first = ask(ownWorld.using(mode), conversation);
      var second = ask(ownWorld, conversation);

      assertThat(first.getLast().path("type").asText()).isEqualTo("done");
      assertThat(second.getLast().path("type").asText()).isEqualTo("done");
      assertThat(provider.request(1).text()).contains("aWtvbg==");
      assertThat(provider.request(2).text()).contains("a page").doesNotContain("aWtvbg==");
      assertThat(provider.request(3).text()).doesNotContain("aWtvbg==");
      assertThat(provider.requests()).hasSize(3);
    }
  }

  @Test
  void picturesOfSeveralResultsComeAfterTheLastOfThem() {
    PROVIDER.next(Answer.saying("ok"));

    ask(
        "openai",
        List.of(
            Message.user("Look"),
            Message.assistant(
                List.of(
                    new ModelBlock.Call("a", "shot", "{}"),
                    new ModelBlock.Call("b", "shot", "{}"))),
            Message.result("a", "one", true, List.of(new Image("image/png", "MQ=="))),
            Message.result("b", "two", true, List.of(new Image("image/png", "Mg==")))));

    var messages = PROVIDER.request(1).json().path("messages");
    assertThat(messages)
        .extracting(message -> message.path("role").asText())
        .containsExactly("user", "assistant", "tool", "tool", "user");
    assertThat(messages.get(4).path("content")).hasSize(3);
  }

  @Test
  void aConversationThatNoProviderTakesIsRefusedBeforeOneIsAsked() {
    var call = Message.assistant(List.of(new ModelBlock.Call("a", "add", "{}")));
    var result = Message.result("a", "1", true, List.of());

    assertRefused("INVALID_MESSAGES", List.of(Message.user("x"), call), List.of(ADD));
    assertRefused("INVALID_MESSAGES", List.of(Message.user("x"), result), List.of(ADD));
    assertRefused("INVALID_MESSAGES", List.of(call, result, result), List.of(ADD));
    assertRefused("INVALID_MESSAGES", List.of(call, Message.user("x"), result), List.of(ADD));
    assertRefused("INVALID_MESSAGES", List.of(Message.assistant(List.of())), List.of(ADD));
    assertRefused(
        "INVALID_TOOLS",
        List.of(Message.user("x")),
        List.of(new Tool("no such name!", "", JSON.createObjectNode())));
    assertThat(PROVIDER.requests()).isEmpty();
  }

  private void assertRefused(String code, List<Message> messages, List<Tool> tools) {
    var problem = world.using("openai").openBody(body(messages, tools));
    assertThat(problem.status()).isEqualTo(400);
    assertThat(problem.problem().path("code").asText()).isEqualTo(code);
  }

  private List<JsonNode> ask(String mode, List<Message> messages) {
    return ask(world.using(mode), messages);
  }

  private static List<JsonNode> ask(ModelWorld asker, List<Message> messages) {
    try (var stream = asker.openBody(body(messages, List.of(ADD)))) {
      return stream.rest();
    }
  }

  private static String body(List<Message> messages, List<Tool> tools) {
    return JSON.valueToTree(new ModelStreamRequest(null, null, null, messages, null, false, tools))
        .toString();
  }

  private static ModelTurn turn(List<JsonNode> events) {
    var turn = new ModelTurn();
    for (var event : events) {
      try {
        turn.take(JSON.treeToValue(event, ModelEvent.class));
      } catch (JsonProcessingException unknown) {
        throw new AssertionError(unknown);
      }
    }
    return turn;
  }

  private static JsonNode json(String quoted) {
    return tree(quoted.replace("\\'", "\u0001").replace('\'', '"').replace("\u0001", "\\\""));
  }
}
