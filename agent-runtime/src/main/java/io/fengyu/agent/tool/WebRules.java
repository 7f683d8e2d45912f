package io.fengyu.agent.tool;

import java.net.URI;
import java.util.Optional;

/**
 * What an owner's permission rules say about addresses that turn up while a call is under way, such
 * as those it is redirected to: the call itself was judged before.
 */
public interface WebRules {

  /** The rule that denies the address; the calling thread may wait. */
  Optional<String> denying(String owner, URI address);

  /** The rule that denies the address, or that a person would have to be asked for. */
  Optional<String> restricting(String owner, URI address);
}
