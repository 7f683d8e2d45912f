package io.fengyu.workflow;

import io.fengyu.contract.problem.Problem;
import io.fengyu.contract.problem.ProblemException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Every refusal of this service, with its status, code and parameters. */
public final class WorkflowProblems {

  private WorkflowProblems() {}

  /** The body is no JSON object at all. */
  public static ProblemException malformedJson() {
    return Problem.of(400, "MALFORMED_JSON").asFailure();
  }

  /**
   * A member of the body has another JSON type than it must have.
   *
   * @param pointer JSON pointer into the body
   */
  public static ProblemException wrongType(String pointer, String expected) {
    return Problem.of(400, "INVALID_REQUEST")
        .field(pointer, "TYPE", Map.of("expected", expected))
        .asFailure();
  }

  /** The id of a start is empty, too long, or has control characters. */
  public static ProblemException startIdInvalid(int max) {
    return Problem.of(400, "INVALID_REQUEST")
        .field("/start_request_id", "LENGTH", Map.of("min", 1, "max", max))
        .asFailure();
  }

  /** The input schema is an object, but no JSON Schema. */
  public static ProblemException schemaInvalid(String pointer, String reason) {
    return Problem.of(400, "INVALID_REQUEST")
        .field(pointer, "SCHEMA", Map.of("reason", reason))
        .asFailure();
  }

  /** A file that another program, or a later one, has written. */
  public static ProblemException unknownFormat(String format, String known) {
    return Problem.of(400, "INVALID_REQUEST")
        .field("/format", "VALUE", Map.of("value", format, "expected", known))
        .asFailure();
  }

  /** The options of an input cannot be asked for. */
  public static ProblemException optionsUnavailable(String name, String tool) {
    return Problem.of(409, "OPTIONS_UNAVAILABLE").with("name", name).with("tool", tool).asFailure();
  }

  /** The workflow declares no such input. */
  public static ProblemException inputUnknown(String name) {
    return Problem.of(404, "WORKFLOW_INPUT_NOT_FOUND").with("name", name).asFailure();
  }

  public static ProblemException templateNotFound(String templateId) {
    return Problem.of(404, "WORKFLOW_TEMPLATE_NOT_FOUND")
        .with("templateId", templateId)
        .asFailure();
  }

  /** The context of a flow chat does not fit the workflow, or is too large. */
  public static ProblemException flowContextInvalid(String reason) {
    return Problem.of(400, "FLOW_CONTEXT_INVALID").with("reason", reason).asFailure();
  }

  /** Something that must be there is not. */
  public static ProblemException required(String pointer) {
    return Problem.of(400, "INVALID_REQUEST").field(pointer, "REQUIRED", Map.of()).asFailure();
  }

  /** A query parameter that cannot be used. */
  public static ProblemException badQuery(String name) {
    return Problem.of(400, "INVALID_REQUEST").with("parameter", name).asFailure();
  }

  /** Something that must be there once only is there again. */
  public static ProblemException duplicate(String pointer) {
    return Problem.of(400, "INVALID_REQUEST").field(pointer, "DUPLICATE", Map.of()).asFailure();
  }

  /** Also for a workflow of another owner. */
  public static ProblemException notFound(String workflowId) {
    return Problem.of(404, "WORKFLOW_NOT_FOUND").with("workflowId", workflowId).asFailure();
  }

  /**
   * No snapshot has this number.
   *
   * @param revision the number, or what was sent in its place
   */
  public static ProblemException revisionNotFound(String workflowId, Object revision) {
    return Problem.of(404, "WORKFLOW_REVISION_NOT_FOUND")
        .with("workflowId", workflowId)
        .with("revision", revision)
        .asFailure();
  }

  /** Somebody else saved first. */
  public static ProblemException revisionConflict(String workflowId, int expected, int actual) {
    return Problem.of(409, "WORKFLOW_REVISION_CONFLICT")
        .with("workflowId", workflowId)
        .with("expectedRevision", expected)
        .with("actualRevision", actual)
        .member("workflowId", workflowId)
        .member("expectedRevision", expected)
        .member("actualRevision", actual)
        .asFailure();
  }

  /** There is no active snapshot to run. */
  public static ProblemException notPublished(String workflowId) {
    return Problem.of(409, "WORKFLOW_NOT_PUBLISHED").with("workflowId", workflowId).asFailure();
  }

  public static ProblemException nameRequired() {
    return Problem.of(400, "WORKFLOW_NAME_REQUIRED").asFailure();
  }

  public static ProblemException nameTooLong(int max, int actual) {
    return Problem.of(400, "WORKFLOW_NAME_TOO_LONG")
        .with("max", max)
        .with("actual", actual)
        .asFailure();
  }

  /** Neither a plan with a list of steps nor a graph. */
  public static ProblemException planRequired() {
    return Problem.of(400, "WORKFLOW_PLAN_REQUIRED").asFailure();
  }

  public static ProblemException tooManySteps(int max, int actual) {
    return Problem.of(400, "WORKFLOW_TOO_MANY_STEPS")
        .with("max", max)
        .with("actual", actual)
        .asFailure();
  }

  /** A workflow without steps may be saved, but neither published nor run. */
  public static ProblemException empty() {
    return Problem.of(400, "WORKFLOW_EMPTY").asFailure();
  }

  /** The element at this position of the steps is no step with this index. */
  public static ProblemException stepIndex(int position) {
    return Problem.of(400, "WORKFLOW_STEP_INDEX").with("position", position).asFailure();
  }

  /**
   * A step leans on one that is not earlier.
   *
   * @param reference the index, or the reference as it stands in the text
   */
  public static ProblemException stepDependency(int step, Object reference) {
    return Problem.of(400, "WORKFLOW_STEP_DEPENDENCY")
        .with("step", step)
        .with("reference", reference)
        .asFailure();
  }

  /** The tool of the step would start another workflow. */
  public static ProblemException nestedTool(int step, String tool) {
    return Problem.of(400, "WORKFLOW_NESTED_TOOL")
        .with("step", step)
        .with("tool", tool)
        .asFailure();
  }

  public static ProblemException retryRange(int step, String field, int min, int max) {
    return Problem.of(400, "WORKFLOW_RETRY_RANGE")
        .with("step", step)
        .with("field", field)
        .with("min", min)
        .with("max", max)
        .asFailure();
  }

  /** The tool is known, and calling it twice could do something twice. */
  public static ProblemException retryUnsafe(int step, String tool) {
    return Problem.of(400, "WORKFLOW_RETRY_UNSAFE")
        .with("step", step)
        .with("tool", tool)
        .asFailure();
  }

  public static ProblemException pinTooLarge(int step, int max) {
    return Problem.of(400, "WORKFLOW_PIN_TOO_LARGE")
        .with("step", step)
        .with("max", max)
        .asFailure();
  }

  public static ProblemException schemaNotObject() {
    return Problem.of(400, "WORKFLOW_SCHEMA_NOT_OBJECT").asFailure();
  }

  /** The goal or an argument uses inputs that the schema does not declare. */
  public static ProblemException undeclaredInput(List<String> names) {
    return Problem.of(400, "WORKFLOW_UNDECLARED_INPUT").with("names", names).asFailure();
  }

  public static ProblemException layoutInvalid(String key) {
    return Problem.of(400, "WORKFLOW_LAYOUT_INVALID").with("key", key).asFailure();
  }

  public static ProblemException graphInvalid(String reason) {
    return Problem.of(400, "WORKFLOW_GRAPH_INVALID").with("reason", reason).asFailure();
  }

  /** A graph that one node makes unusable; the node is named beside the parameters. */
  public static ProblemException nodeInvalid(String reason, String nodeId) {
    return Problem.of(400, "WORKFLOW_GRAPH_INVALID")
        .with("reason", reason)
        .member("nodeId", nodeId)
        .asFailure();
  }

  /** The nodes that depend on each other, in the order of the graph. */
  public static ProblemException graphCycle(List<String> nodeIds) {
    return Problem.of(400, "WORKFLOW_GRAPH_CYCLE").with("nodeIds", nodeIds).asFailure();
  }

  /**
   * A text refers to a node that does not exist or does not come earlier.
   *
   * @param nodeId the node whose text it is
   * @param reference the reference as it stands in the text
   */
  public static ProblemException referenceUnknown(String nodeId, String reference) {
    return Problem.of(400, "WORKFLOW_REFERENCE_UNKNOWN")
        .with("nodeId", nodeId)
        .with("reference", reference)
        .asFailure();
  }

  /** All inputs that must be given and are not. */
  public static ProblemException inputMissing(List<String> names) {
    return Problem.of(400, "WORKFLOW_INPUT_MISSING").with("names", names).asFailure();
  }

  public static ProblemException inputType(String name, String expected, String actual) {
    return Problem.of(400, "WORKFLOW_INPUT_TYPE")
        .with("name", name)
        .with("expected", expected)
        .with("actual", actual)
        .asFailure();
  }

  /**
   * An input of the right type that its schema does not allow.
   *
   * @param keyword the keyword of JSON Schema that refuses it
   */
  public static ProblemException inputInvalid(String name, String keyword) {
    return Problem.of(400, "WORKFLOW_INPUT_INVALID")
        .with("name", name)
        .with("keyword", keyword)
        .asFailure();
  }

  public static ProblemException runFileInvalid(String name, String reason) {
    return Problem.of(400, "RUN_FILE_INVALID")
        .with("name", name)
        .with("reason", reason)
        .asFailure();
  }

  public static ProblemException permissionModeUnknown(Object value) {
    return Problem.of(400, "PERMISSION_MODE_UNKNOWN").with("value", value).asFailure();
  }

  /** An input that only a session can give: it would be gone when nobody watches. */
  public static ProblemException ephemeralInput(String name) {
    return Problem.of(400, "EPHEMERAL_FILE_INPUT").with("name", name).asFailure();
  }

  /** Something that this request cannot do without is not there; nothing was changed. */
  public static ProblemException dependencyUnavailable(String service) {
    return Problem.of(503, "DEPENDENCY_UNAVAILABLE")
        .with("service", service)
        .retryAfter(Duration.ofSeconds(5))
        .asFailure();
  }
}
