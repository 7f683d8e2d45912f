package io.fengyu.agent.turn;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.tool.ToolSpec;
import java.util.List;

/** What one call of a tool touches, as far as others of its turn must know. */
public sealed interface Touch {

  /**
   * The call said so itself, or the built-in table did.
   *
   * @param reads names of what it looks at
   * @param writes names of what it changes
   */
  record Named(List<ResourceName> reads, List<ResourceName> writes) implements Touch {}

  /** Nobody said, and it only looks: it disturbs no one. */
  record Nothing() implements Touch {}

  /** Nobody said, and it may change anything. */
  record Anything() implements Touch {}

  /** What a call touches, its arguments filled in. */
  static Touch of(ToolSpec tool, ObjectNode args) {
    var declared = tool.resources() == null ? GraphTools.resources(tool, args) : tool.resources();
    if (declared != null) {
      return new Named(names(declared.reads(), args), names(declared.writes(), args));
    }
    return tool.readsOnly() ? new Nothing() : new Anything();
  }

  private static List<ResourceName> names(List<String> declared, ObjectNode args) {
    return declared.stream().map(name -> ResourceName.of(name, args)).toList();
  }

  /** True when this call has to be over before a later one may begin. */
  default boolean precedes(Touch later) {
    return switch (this) {
      case Anything anything -> true;
      case Nothing nothing -> later instanceof Anything;
      case Named earlier ->
          switch (later) {
            case Anything anything -> true;
            case Nothing nothing -> false;
            case Named then ->
                overlap(earlier.writes, then.reads)
                    || overlap(earlier.writes, then.writes)
                    || overlap(earlier.reads, then.writes);
          };
    };
  }

  private static boolean overlap(List<ResourceName> some, List<ResourceName> others) {
    return some.stream().anyMatch(one -> others.stream().anyMatch(one::overlaps));
  }
}
