package io.fengyu.contract.start;

import io.fengyu.contract.identity.Digest;

/**
 * What makes two calls the same start. Of the value only a digest is stored.
 *
 * @param owner whose start it is; another owner's same value is another start
 * @param route what the value is good for
 * @param name what callers call it, for refusals
 * @param value as the caller sent it
 * @param fingerprint what has to be the same too, such as a digest of the body
 */
public record StartKey(String owner, String route, String name, String value, String fingerprint) {

  private static final String OPERATION = "operation";

  /** Another service's operation: the same whatever its body says. */
  static StartKey operation(String owner, String path, String id) {
    return new StartKey(owner, OPERATION + " " + path, OPERATION, id, "");
  }

  boolean ofOperation() {
    return name.equals(OPERATION);
  }

  /** Of the value. */
  public Digest digest() {
    return Digest.of(value);
  }
}
