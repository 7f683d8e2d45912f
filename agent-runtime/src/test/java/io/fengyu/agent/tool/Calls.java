package io.fengyu.agent.tool;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Calls tools the way a run does, over a directory of the test. */
public final class Calls {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** What tools reported as written, in order. */
  public final List<Path> written = Collections.synchronizedList(new ArrayList<>());

  /** Set to stop calls that are under way. */
  public final AtomicBoolean cancelled = new AtomicBoolean();

  /** Told what works beside the call. */
  public Branches branches = Branches.NONE;

  /** Set to call as full access does. */
  public boolean unconfined;

  /** The conversation that calls belong to; none when null. */
  public @Nullable String session;

  private final Path root;
  private ToolCall.Access access = ToolCall.Access.NONE;

  public Calls(Path root) {
    this.root = root;
  }

  /** Grants paths to the calls that follow. */
  public Calls granting(List<Path> readable, List<Path> writable) {
    access = new ToolCall.Access(readable, writable);
    return this;
  }

  public Path workspace() {
    return root.resolve("workspace");
  }

  public Path outputDir() {
    return root.resolve("output");
  }

  /** The raw result text. */
  public String text(Tool tool, String args) throws Exception {
    return tool.call(call((ObjectNode) json(args)));
  }

  /** What a call says whose outcome nobody knows, parsed. */
  public JsonNode unknown(Tool tool, String args) throws Exception {
    try {
      throw new AssertionError("The outcome is known: " + text(tool, args));
    } catch (ToolException e) {
      assertThat(e.outcomeUnknown()).isTrue();
      return json(String.valueOf(e.getMessage()));
    }
  }

  /** The result, parsed. */
  public JsonNode result(Tool tool, String args) throws Exception {
    return json(text(tool, args));
  }

  /** JSON with single quotes instead of double ones. */
  public static JsonNode json(String text) {
    try {
      return JSON.readTree(text.startsWith("{'") ? text.replace('\'', '"') : text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(text, e);
    }
  }

  private ToolCall call(ObjectNode args) {
    return new ToolCall(
        "alice",
        session,
        null,
        1,
        "call-1",
        args,
        workspace(),
        outputDir(),
        root.resolve("state"),
        access,
        unconfined,
        cancelled::get,
        branches,
        ToolCall.Progress.UNSEEN,
        written::add);
  }
}
