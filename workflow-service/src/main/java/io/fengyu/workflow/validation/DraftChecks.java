package io.fengyu.workflow.validation;

import com.fasterxml.jackson.databind.JsonNode;
import io.fengyu.workflow.WorkflowLimits;
import io.fengyu.workflow.WorkflowProblems;
import io.fengyu.workflow.compile.CanvasCompiler;
import io.fengyu.workflow.compile.Compiled;
import io.fengyu.workflow.compile.StartContract;
import io.fengyu.workflow.json.RawBody;
import jakarta.enterprise.context.ApplicationScoped;
import org.jspecify.annotations.Nullable;

/** Turns the body of a save into something that may be stored, or refuses it. */
@ApplicationScoped
public class DraftChecks {

  private static final String NO_INPUTS = "{\"type\":\"object\",\"properties\":{}}";
  private static final String NOTHING = "{}";

  private final WorkflowLimits limits;

  DraftChecks(WorkflowLimits limits) {
    this.limits = limits;
  }

  /** Checks names, documents and their relations; without a plan, the graph is compiled. */
  public Draft check(RawBody body) {
    var name = WorkflowName.checked(body.string("name"));
    var documents = documents(body, name);
    var declared = declared(body, body.tree("graph"));
    var schema = SchemaShape.checked(declared);
    var plan = PlanChecked.of(documents.planTree(), limits.maxSteps(), schema);
    LayoutShape.check(documents.layoutTree(), plan.steps().size());
    return new Draft(
        name,
        description(body),
        orElse(body.raw("inputSchema"), declared == null ? NO_INPUTS : declared.toString()),
        documents.plan(),
        documents.layout(),
        orElse(body.raw("graph"), NOTHING),
        plan);
  }

  /** Compiles a canvas; its inputs are checked when the body says which ones are declared. */
  public Compiled compile(RawBody body) {
    var text = body.raw("graph");
    var graph = body.tree("graph");
    if (text == null || graph == null) {
      throw WorkflowProblems.planRequired();
    }
    GraphShape.check(text);
    var goal = body.string("goal");
    var compiled = CanvasCompiler.compile(graph, goal == null ? "" : goal);
    var schema = declared(body, graph);
    PlanChecked.of(
        compiled.plan(), limits.maxSteps(), schema == null ? null : SchemaShape.checked(schema));
    return compiled;
  }

  /** The schema of the body; without one, what the fields of its Start node declare. */
  private static @Nullable JsonNode declared(RawBody body, @Nullable JsonNode graph) {
    var schema = body.tree("inputSchema");
    return schema == null && graph != null ? StartContract.of(graph).orElse(null) : schema;
  }

  /** The plan and layout to store, as text and as tree. */
  private record Documents(
      String plan, JsonNode planTree, String layout, @Nullable JsonNode layoutTree) {}

  private static Documents documents(RawBody body, String name) {
    var graph = body.raw("graph");
    if (graph != null) {
      GraphShape.check(graph);
    }
    var plan = body.raw("plan");
    var planTree = body.tree("plan");
    if (plan != null && planTree != null) {
      return new Documents(
          plan, planTree, orElse(body.raw("layout"), NOTHING), body.tree("layout"));
    }
    var canvas = body.tree("graph");
    if (canvas == null || canvas.isEmpty()) {
      throw WorkflowProblems.planRequired();
    }
    return compiled(canvas, name, body);
  }

  private static Documents compiled(JsonNode graph, String name, RawBody body) {
    var compiled = CanvasCompiler.compile(graph, name);
    var layout = body.raw("layout");
    return new Documents(
        compiled.plan().toString(),
        compiled.plan(),
        layout == null ? compiled.layout().toString() : layout,
        layout == null ? compiled.layout() : body.tree("layout"));
  }

  // A text in Postgres cannot hold the character NUL.
  private static String description(RawBody body) {
    var description = body.string("description");
    return description == null ? "" : description.replace("\0", "");
  }

  private static String orElse(@Nullable String text, String otherwise) {
    return text == null ? otherwise : text;
  }
}
