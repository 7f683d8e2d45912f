package io.fengyu.agent.run;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.tool.Effect;
import io.fengyu.agent.tool.Tool;
import io.fengyu.agent.tool.ToolCall;
import io.fengyu.agent.tool.ToolSpec;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A tool made of one function, which remembers how it was called. */
class TestTool implements Tool {

  /** What it does. */
  interface Body {
    String call(ToolCall call) throws Exception;
  }

  private final ToolSpec spec;
  private final Body body;
  final List<ToolCall> calls = new CopyOnWriteArrayList<>();

  TestTool(String name, Effect effect, boolean idempotent, ObjectNode schema, Body body) {
    this.spec =
        new ToolSpec(name, name, schema, null, effect, idempotent, null, name, null, "1", null);
    this.body = body;
  }

  static TestTool reading(String name, Body body) {
    return new TestTool(name, Effect.READ, false, object(), body);
  }

  static TestTool writing(String name, boolean idempotent, Body body) {
    return new TestTool(name, Effect.WRITE, idempotent, object(), body);
  }

  private static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode().put("type", "object");
  }

  @Override
  public ToolSpec spec() {
    return spec;
  }

  @Override
  public String call(ToolCall call) throws Exception {
    calls.add(call);
    return body.call(call);
  }
}
