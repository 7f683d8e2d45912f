package io.fengyu.agent.tool;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;

/**
 * What an owner's permission rules say about a call that is made inside of another one: the outer
 * one was judged, and nobody can be asked any more.
 */
public interface InnerRules {

  /** The rule that denies the call, or that a person would have to be asked for. */
  Optional<String> restricting(String owner, ToolSpec tool, ObjectNode args);
}
