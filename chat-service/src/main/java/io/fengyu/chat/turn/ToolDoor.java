package io.fengyu.chat.turn;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.chat.model.ToolDefinition;
import io.fengyu.contract.client.InternalClient;
import io.fengyu.contract.client.InternalStreams;
import io.fengyu.contract.client.Service;
import io.fengyu.contract.problem.ProblemException;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Tools are agent-runtime's: which there are, what is said to calls, and the calls themselves. */
@ApplicationScoped
class ToolDoor {

  private static final Logger LOG = Logger.getLogger(ToolDoor.class);
  private static final Duration ANSWERED_WITHIN = Duration.ofSeconds(31);
  // Signs of life come every ten seconds.
  private static final Duration SILENT_AT_MOST = Duration.ofSeconds(45);
  // What every provider takes as the name of a function.
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");

  private final InternalClient client;
  private final InternalStreams streams;
  private final ObjectMapper json;

  ToolDoor(InternalClient client, InternalStreams streams, ObjectMapper json) {
    this.client = client;
    this.streams = streams;
    this.json = json;
  }

  /** Where calls belong. */
  record Place(
      String owner,
      UUID turn,
      @Nullable String conversationId,
      String permissionMode,
      @Nullable String workflowId,
      @Nullable JsonNode flowContext) {

    private ObjectNode body() {
      var body = JsonNodeFactory.instance.objectNode();
      body.put("permissionMode", permissionMode);
      body.put("session_id", conversationId);
      body.put("workflowId", workflowId);
      if (flowContext != null) {
        body.set("flowContext", flowContext);
      }
      return body;
    }
  }

  /**
   * The tools of a turn.
   *
   * @param reachable false when nobody knows which there are
   */
  record Catalogue(List<ToolDefinition> tools, boolean reachable) {

    static final Catalogue UNREACHABLE = new Catalogue(List.of(), false);
  }

  /** A call to be made; {@code arguments} as the model, or a person, wrote them. */
  record Call(String id, String name, String arguments, boolean approved) {}

  /**
   * What would be said to a call.
   *
   * @param schema of its tool's arguments; null for an unknown tool
   */
  record Judged(String verdict, String reason, @Nullable String effect, @Nullable JsonNode schema) {

    boolean asks() {
      return verdict.equals("ask");
    }
  }

  /** What a call came to. */
  record Result(String id, boolean success, String output) {}

  /** Everything that the owner can call now. Without an answer there are no tools in this turn. */
  Catalogue catalogue(Place place) {
    try {
      var answer =
          client
              .post(Service.AGENT, "/internal/tools/catalog")
              .as(place.owner())
              .operation("catalog-" + place.turn())
              .patient()
              .json(place.body())
              .send()
              .await()
              .atMost(ANSWERED_WITHIN);
      return new Catalogue(definitions(answer.body()), true);
    } catch (ProblemException | io.smallrye.mutiny.TimeoutException away) {
      LOG.warnf("A turn goes on without tools: %s", away.getMessage());
      return Catalogue.UNREACHABLE;
    }
  }

  private static List<ToolDefinition> definitions(JsonNode list) {
    var tools = new ArrayList<ToolDefinition>();
    for (var tool : list) {
      var name = tool.path("name").asText();
      if (NAME.matcher(name).matches() && tool.path("inputSchema") instanceof ObjectNode schema) {
        tools.add(new ToolDefinition(name, tool.path("description").asText(), schema));
      }
    }
    return tools;
  }

  /** Judges calls without making them; in their order. */
  List<Judged> judge(Place place, List<Call> calls) {
    var answer =
        client
            .post(Service.AGENT, "/internal/tools/judge")
            .as(place.owner())
            .session(place.conversationId())
            .run(place.turn().toString())
            .patient()
            .json(body(place, calls))
            .send()
            .await()
            .atMost(ANSWERED_WITHIN);
    var judged = new ArrayList<Judged>();
    for (var one : answer.body()) {
      judged.add(
          new Judged(
              one.path("verdict").asText(),
              one.path("reason").asText(),
              one.path("effect").textValue(),
              one.path("schema").isObject() ? one.path("schema") : null));
    }
    return judged;
  }

  /** Makes calls, and tells of each end when it comes; every call has one when this returns. */
  void run(Place place, List<Call> calls, Consumer<Result> ended) throws InterruptedException {
    Map<String, Call> open = new HashMap<>();
    calls.forEach(call -> open.put(call.id(), call));
    try {
      follow(place, calls, result -> told(open, result, ended));
    } catch (ProblemException refused) {
      var why = "The call was not answered: " + detail(refused);
      calls.forEach(call -> told(open, new Result(call.id(), false, why), ended));
    } catch (IOException | TimeoutException cut) {
      var why = "The call was not answered; whether it was made is not known";
      calls.forEach(call -> told(open, new Result(call.id(), false, why), ended));
    }
    var why = "The call did not end in time; whether it was made is not known";
    calls.forEach(call -> told(open, new Result(call.id(), false, why), ended));
  }

  private static String detail(ProblemException refused) {
    var code = refused.problem().code();
    return code.equals("DEPENDENCY_UNAVAILABLE") ? "tools cannot be reached right now" : code;
  }

  private static void told(Map<String, Call> open, Result result, Consumer<Result> ended) {
    if (open.remove(result.id()) != null) {
      ended.accept(result);
    }
  }

  private void follow(Place place, List<Call> calls, Consumer<Result> ended)
      throws InterruptedException, IOException, TimeoutException {
    var headers = new HashMap<String, String>();
    headers.put("X-User-ID", place.owner());
    headers.put("X-Run-ID", place.turn().toString());
    if (place.conversationId() != null) {
      headers.put("X-Session-ID", place.conversationId());
    }
    try (var lines =
        streams.post(Service.AGENT, "/internal/tools/run", headers, body(place, calls))) {
      for (var line = lines.next(SILENT_AT_MOST); line != null; line = lines.next(SILENT_AT_MOST)) {
        var end = read(line).path("end");
        if (end.isObject()) {
          ended.accept(
              new Result(
                  end.path("id").asText(),
                  end.path("success").asBoolean(),
                  end.path("output").asText()));
        }
      }
    }
  }

  private JsonNode read(String line) throws IOException {
    try {
      return json.readTree(line);
    } catch (JsonProcessingException noJson) {
      throw new IOException("a line that is no JSON", noJson);
    }
  }

  private static ObjectNode body(Place place, List<Call> calls) {
    var body = place.body();
    var list = body.putArray("calls");
    for (var call : calls) {
      var one = list.addObject();
      one.put("id", call.id()).put("name", call.name()).put("arguments", call.arguments());
      if (call.approved()) {
        one.put("approved", true);
      }
    }
    return body;
  }
}
