package io.fengyu.contract.problem;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A refusal, as a value: what the error body of every service is made from.
 *
 * <p>Title and detail are not part of it. They are found by {@code code} in the {@code
 * problems/en.properties} and {@code problems/zh.properties} files of all modules when the answer
 * is written, in the caller's language, with {@code params} filled in.
 *
 * @param status HTTP status, 400 to 599
 * @param code stable UPPER_SNAKE word that clients branch on
 * @param params what a client needs to say it in its own language; never a secret
 * @param members extra top-level members of the body, beside {@code params}
 * @param errors several field errors of one body; empty for most problems
 * @param retryAfter answered as {@code Retry-After} in whole seconds; null when waiting won't help
 */
public record Problem(
    int status,
    String code,
    Map<String, Object> params,
    Map<String, Object> members,
    List<FieldError> errors,
    @Nullable Duration retryAfter) {

  /**
   * One field of a body that was refused.
   *
   * @param pointer JSON pointer into the request body
   * @param code stable UPPER_SNAKE word
   */
  public record FieldError(String pointer, String code, Map<String, Object> params) {}

  /** A problem with nothing but its code. */
  public static Problem of(int status, String code) {
    return new Problem(status, code, Map.of(), Map.of(), List.of(), null);
  }

  /** Adds a parameter; the order of calls is the order on the wire. */
  public Problem with(String name, Object value) {
    return new Problem(status, code, plus(params, name, value), members, errors, retryAfter);
  }

  /** Adds a member at the top level of the body. */
  public Problem member(String name, @Nullable Object value) {
    return new Problem(status, code, params, plus(members, name, value), errors, retryAfter);
  }

  /** Adds one field's error. */
  public Problem field(String pointer, String fieldCode, Map<String, Object> fieldParams) {
    var all = new ArrayList<>(errors);
    all.add(new FieldError(pointer, fieldCode, fieldParams));
    return new Problem(status, code, params, members, List.copyOf(all), retryAfter);
  }

  /** Tells the client when to come back. */
  public Problem retryAfter(@Nullable Duration wait) {
    return new Problem(status, code, params, members, errors, wait);
  }

  /** Carries the problem down a Mutiny failure channel or out of a blocking call. */
  public ProblemException asFailure() {
    return new ProblemException(this);
  }

  private static Map<String, Object> plus(
      Map<String, Object> map, String name, @Nullable Object value) {
    var copy = new LinkedHashMap<>(map);
    copy.put(name, value);
    return copy;
  }
}
