package io.fengyu.agent.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.tool.JobProgress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a job's server says about it, checked.
 *
 * @param cursor up to where progress is known now
 * @param more true when there is more of it already
 * @param result null when there is none
 * @param error why it failed; null when nobody says
 */
record JobStatus(
    State state,
    List<JobProgress> progress,
    long cursor,
    boolean more,
    @Nullable JsonNode result,
    @Nullable JsonNode next,
    @Nullable String error) {

  private static final int LONGEST_TEXT = 2_000;
  private static final int LONGEST_ID = 200;
  private static final int MOST_PROGRESS = 1_000;

  /** Members that tell of acceptance or of the way, never of a result. */
  private static final Set<String> NO_RESULT =
      Set.of(
          "job_id",
          "status",
          "progress",
          "percent",
          "percentage",
          "message",
          "accepted",
          "async",
          "ok",
          "success",
          "stage",
          "progress_seq",
          "progress_cursor",
          "progress_has_more",
          "next_job_id");

  /** Stages of a job. */
  enum State {
    QUEUED,
    RUNNING,
    DONE,
    FAILED,
    CANCELLED;

    boolean over() {
      return this == DONE || this == FAILED || this == CANCELLED;
    }

    String wire() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Reads the answer to a query. */
  static JobStatus read(ObjectNode answer, String jobId, long afterSeq) throws JobException {
    if (!answer.path("job_id").asText().equals(jobId)) {
      throw JobException.protocol("the answer is about another job");
    }
    var progress = progress(answer.path("progress"), afterSeq);
    long last = progress.isEmpty() ? afterSeq : progress.getLast().seq();
    return new JobStatus(
        state(answer.path("status")),
        progress,
        cursor(answer.path("progress_cursor"), last),
        answer.path("progress_has_more").asBoolean(false),
        given(answer.get("result")),
        given(answer.get("next_job_id")),
        text(answer.has("error") ? answer.path("error") : answer.path("message")));
  }

  private static State state(JsonNode status) throws JobException {
    return Stream.of(State.values())
        .filter(state -> state.wire().equals(status.asText()))
        .findFirst()
        .orElseThrow(() -> JobException.protocol("unknown status"));
  }

  private static List<JobProgress> progress(JsonNode told, long afterSeq) throws JobException {
    if (told.size() > MOST_PROGRESS) {
      throw JobException.protocol("more than " + MOST_PROGRESS + " steps at once");
    }
    var all = new ArrayList<JobProgress>();
    long last = afterSeq;
    for (var entry : told) {
      var seq = entry.path("progress_seq");
      if (!seq.canConvertToLong() || !seq.isIntegralNumber() || seq.longValue() <= last) {
        throw JobException.protocol("progress_seq does not grow");
      }
      last = seq.longValue();
      all.add(
          new JobProgress(
              last, text(entry.path("stage")), share(entry), text(entry.path("message"))));
    }
    return all;
  }

  private static @Nullable JsonNode share(JsonNode entry) {
    var share = entry.path("progress");
    return share.isNumber() ? share : null;
  }

  private static long cursor(JsonNode cursor, long last) throws JobException {
    if (cursor.isMissingNode() || cursor.isNull()) {
      return last;
    }
    if (!cursor.isIntegralNumber() || cursor.longValue() < last) {
      throw JobException.protocol("progress_cursor goes back");
    }
    return cursor.longValue();
  }

  private static @Nullable JsonNode given(@Nullable JsonNode value) {
    return value == null || value.isNull() ? null : value;
  }

  private static @Nullable String text(JsonNode value) {
    if (value.isMissingNode() || value.isNull()) {
      return null;
    }
    var text = value.isTextual() ? value.textValue() : value.toString();
    return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT);
  }

  /** True for an id that can be asked for. */
  static boolean isId(@Nullable JsonNode id) {
    return id != null
        && id.isTextual()
        && !id.textValue().isBlank()
        && id.textValue().length() <= LONGEST_ID
        && id.textValue().chars().noneMatch(Character::isISOControl);
  }

  /** True when the result is one: no acceptance, no percentage, nothing empty. */
  boolean usable() {
    var told = result;
    if (told == null || told.isBoolean() || told.isNumber()) {
      return false;
    }
    if (told.isTextual()) {
      return !told.textValue().isBlank() && !told.textValue().strip().matches("[0-9.,]+ ?%");
    }
    if (told.isArray()) {
      return true;
    }
    return !told.path("async").asBoolean(false)
        && told.propertyStream().anyMatch(member -> !NO_RESULT.contains(member.getKey()));
  }
}
