package io.fengyu.agent.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.file.RunFiles;
import io.fengyu.agent.file.RunFiles.RunPlaces;
import io.fengyu.agent.guard.PermissionMode;
import io.fengyu.agent.journal.Change;
import io.fengyu.agent.journal.Change.ReceiptState;
import io.fengyu.agent.journal.EventType;
import io.fengyu.agent.tool.ToolCall;
import io.fengyu.agent.tool.ToolException;
import io.fengyu.contract.json.CanonicalJson;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.jboss.logging.Logger;

/** Calls the tool of one step, as often as its retry policy allows. */
final class StepCall {

  private static final Logger LOG = Logger.getLogger(StepCall.class);
  private static final String STOPPED = "Cancelled";
  // What exactly went wrong is in the log: such messages tell of classes, paths and statements.
  private static final String BROKE_OFF = "The tool broke off because of a fault of the server";

  private final RunWork work;
  private final RunPlaces places;
  private final RunFiles files;
  private final RunWriter writer;
  private final StopFlag stop;
  private final StepPlan step;
  private final ObjectNode args;

  /**
   * @param args what the tool gets
   */
  StepCall(
      RunWork work,
      RunPlaces places,
      RunFiles files,
      RunWriter writer,
      StopFlag stop,
      StepPlan step,
      ObjectNode args) {
    this.work = work;
    this.places = places;
    this.files = files;
    this.writer = writer;
    this.stop = stop;
    this.step = step;
    this.args = args;
  }

  /** What has to be on disk before the first attempt; nothing for a call without effect. */
  List<Change> intention() {
    return step.hasEffect() ? List.of(intended(1)) : List.of();
  }

  /** Runs on the step's thread until there is an end. */
  StepEnd run() {
    if (step.pinned()) {
      return pinned();
    }
    for (int attempt = 1; ; attempt++) {
      recordIntention(attempt);
      var end = attempt(attempt);
      if (!retries(end, attempt)) {
        return end;
      }
      announceRetry((StepEnd.Failed) end, attempt);
      if (!sleep(step.delayMs(attempt))) {
        return new StepEnd.Failed(STOPPED, attempt, List.of());
      }
    }
  }

  private StepEnd pinned() {
    var result = step.step().pinnedResult();
    return judged(result == null ? "" : result, 0);
  }

  private boolean retries(StepEnd end, int attempt) {
    return end instanceof StepEnd.Failed && attempt < step.maxAttempts() && !stop.requested();
  }

  private void recordIntention(int attempt) {
    if (!step.hasEffect()) {
      writer.checkHeld();
      return;
    }
    if (attempt > 1) {
      writer.hold(intended(attempt));
      writer.flush();
    }
    writer.awaitDurable();
  }

  private Change intended(int attempt) {
    return new Change.Intended(
        invocationId(attempt),
        step.index(),
        attempt,
        step.step().toolName(),
        step.tool().spec().effect(),
        CanonicalJson.sha256(step.args()));
  }

  private void announceRetry(StepEnd.Failed end, int attempt) {
    var data =
        StepEvents.retry(
            step.index(), attempt + 1, step.maxAttempts(), step.delayMs(attempt), end.error());
    writer.hold(EventType.STEP_RETRY, data, end.outcome());
    writer.flush();
  }

  private StepEnd attempt(int attempt) {
    if (!stop.enter()) {
      return failed(STOPPED, attempt, ReceiptState.FAILED);
    }
    try {
      return judged(step.tool().call(call(attempt)), attempt);
    } catch (InterruptedException e) {
      return failed(STOPPED, attempt, ReceiptState.UNKNOWN);
    } catch (ToolException e) {
      return failed(String.valueOf(e.getMessage()), attempt, ReceiptState.FAILED);
    } catch (Exception | StackOverflowError | OutOfMemoryError | LinkageError e) {
      if (!stop.requested()) {
        LOG.warnf(e, "Tool %s broke off in run %s", step.step().toolName(), work.runId());
      }
      return failed(stop.requested() ? STOPPED : BROKE_OFF, attempt, ReceiptState.UNKNOWN);
    } finally {
      stop.leave();
    }
  }

  /** A result is a success unless it says otherwise itself. */
  private StepEnd judged(String result, int attempt) {
    var output = Json.valueOf(result);
    if (output.path("success").isBoolean() && !output.path("success").booleanValue()) {
      return failed(failureText(output, result), attempt, ReceiptState.FAILED);
    }
    return new StepEnd.Completed(result, output, attempt, outcome(attempt, ReceiptState.DONE));
  }

  private static String failureText(JsonNode output, String result) {
    var told = Json.first(output.path("error"), output.path("summary"));
    if (told.isMissingNode()) {
      return result;
    }
    return told.isTextual() ? told.textValue() : told.toString();
  }

  private StepEnd failed(String error, int attempt, ReceiptState state) {
    return new StepEnd.Failed(error, attempt, outcome(attempt, state));
  }

  private List<Change> outcome(int attempt, ReceiptState state) {
    return step.hasEffect() ? List.of(new Change.Outcome(invocationId(attempt), state)) : List.of();
  }

  private ToolCall call(int attempt) {
    var pluginId = step.tool().spec().pluginId();
    return new ToolCall(
        work.owner(),
        work.sessionId(),
        work.runId(),
        work.generation(),
        invocationId(attempt).toString(),
        args.isEmpty() ? args.objectNode() : args.deepCopy(),
        places.workspace(),
        places.outputDir(pluginId),
        places.state(),
        places.access(pluginId),
        work.options().permissionMode() == PermissionMode.FULL_ACCESS,
        stop::requested,
        stop.branches(),
        this::wrote);
  }

  private void wrote(Path file) {
    files.made(work.runId(), step.index(), file).ifPresent(writer::hold);
  }

  // The run's id with step, stage and attempt folded into its random tail: the same for the same
  // attempt, another for any other.
  private UUID invocationId(int attempt) {
    long place = (step.index() + 1L) << 24 | (work.generation() & 0xFFFFL) << 8 | attempt;
    return new UUID(
        work.runId().getMostSignificantBits(), work.runId().getLeastSignificantBits() ^ place);
  }

  private boolean sleep(long millis) {
    if (!stop.enter()) {
      return false;
    }
    try {
      Thread.sleep(millis);
      return true;
    } catch (InterruptedException e) {
      return false;
    } finally {
      stop.leave();
    }
  }
}
