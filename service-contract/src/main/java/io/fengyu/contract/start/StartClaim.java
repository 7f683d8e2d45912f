package io.fengyu.contract.start;

import java.util.UUID;

/**
 * The right to start what a key stands for; lost when somebody else takes a silent holder's place.
 *
 * @param holder of this attempt alone
 * @param operation of the start, whoever holds it: what other services are told, so that a second
 *     attempt is the same operation to them
 */
public record StartClaim(StartKey key, UUID holder, UUID operation) {

  /** True when another service's operation is the key, and its body may differ. */
  public boolean byOperation() {
    return key.ofOperation();
  }
}
