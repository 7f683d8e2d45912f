package io.fengyu.agent.guard;

/** Where the guard finds an owner's rules. */
public interface RuleSource {

  /**
   * The rules in force now; the calling thread may wait when they have to be read.
   *
   * @throws RuntimeException when they can't be read
   */
  RuleSet of(String owner);
}
