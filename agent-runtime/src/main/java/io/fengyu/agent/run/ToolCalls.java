package io.fengyu.agent.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.file.RunFiles;
import io.fengyu.agent.guard.PermissionMode;
import io.fengyu.agent.journal.Change.ReceiptState;
import io.fengyu.agent.journal.EventType;
import io.fengyu.agent.scope.DataScopes;
import io.fengyu.agent.tool.JobProgress;
import io.fengyu.agent.tool.Tool;
import io.fengyu.agent.tool.ToolCall;
import java.nio.file.Path;
import java.util.UUID;

/**
 * The one place where a run calls tools. Judging, gates and receipts come before it: what arrives
 * here is made, unless the run has been stopped.
 */
final class ToolCalls {

  static final String STOPPED = ToolAttempt.STOPPED;
  private static final String BEYOND = "The budget of the run does not allow one more such call";

  private final RunWork work;
  private final RunWriter writer;
  private final Admission admission;
  private final RunFiles files;
  private final PlacesOnce places;
  private final DataScopes scopes;

  ToolCalls(RunScope scope, RunFiles files, PlacesOnce places, DataScopes scopes) {
    this.work = scope.work();
    this.writer = scope.writer();
    this.admission = scope.admission();
    this.files = files;
    this.places = places;
    this.scopes = scopes;
  }

  /**
   * Calls a tool on the current thread, and never throws for what the tool does.
   *
   * @param place which call of the run it is: the index of its step
   * @param args what the tool gets
   */
  ToolOutcome call(Tool tool, int place, UUID invocationId, ObjectNode args) {
    return call(
        tool, new Place(place, StepEvents.toolCallId(work.runId(), place)), invocationId, args);
  }

  /**
   * Which call of the run it is.
   *
   * @param index of its step
   * @param callId as clients know it
   */
  record Place(int index, String callId) {}

  /** Likewise, for a call that has an id of its own. */
  ToolOutcome call(Tool tool, Place place, UUID invocationId, ObjectNode args) {
    if (!admission.enter()) {
      return new ToolOutcome.Refused(STOPPED, ReceiptState.FAILED);
    }
    if (!admission.spending().call(tool.spec().name(), args)) {
      admission.leave();
      return new ToolOutcome.Refused(BEYOND, ReceiptState.FAILED);
    }
    try {
      var outcome =
          ToolAttempt.make(
              tool, () -> request(tool, place, invocationId, args), admission::stopped);
      if (outcome instanceof ToolOutcome.Answered(var text, var value)) {
        scopes.succeeded(conversation(), tool.spec(), args, text);
      }
      return outcome;
    } finally {
      admission.leave();
    }
  }

  private DataScopes.Place conversation() {
    return new DataScopes.Place(work.owner(), work.dataSession(), work.runId().toString());
  }

  private ToolCall request(Tool tool, Place place, UUID invocationId, ObjectNode args) {
    var pluginId = tool.spec().pluginId();
    var open = places.get();
    return new ToolCall(
        work.owner(),
        work.sessionId(),
        work.runId(),
        work.generation(),
        invocationId.toString(),
        args.isEmpty() ? args.objectNode() : args.deepCopy(),
        open.workspace(),
        open.outputDir(pluginId),
        open.state(),
        open.access(pluginId),
        work.options().permissionMode() == PermissionMode.FULL_ACCESS,
        admission::stopped,
        admission.branches(),
        (jobId, progress) -> progressed(place, jobId, progress),
        file -> wrote(place.index(), file));
  }

  private void progressed(Place place, String jobId, JobProgress progress) {
    writer.hold(
        EventType.JOB_PROGRESS,
        StepEvents.jobProgress(place.index(), place.callId(), jobId, progress));
    writer.flush();
  }

  private void wrote(int place, Path file) {
    files.made(work.runId(), place, file).ifPresent(writer::hold);
  }
}
