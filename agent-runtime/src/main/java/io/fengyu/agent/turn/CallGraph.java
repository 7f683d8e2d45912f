package io.fengyu.agent.turn;

import java.util.ArrayList;
import java.util.List;

/** Which calls of a turn wait for which earlier ones. */
public final class CallGraph {

  private final List<List<Integer>> before;
  private final List<List<Integer>> after;

  private CallGraph(int calls) {
    before = new ArrayList<>(calls);
    after = new ArrayList<>(calls);
    for (int i = 0; i < calls; i++) {
      before.add(new ArrayList<>());
      after.add(new ArrayList<>());
    }
  }

  /**
   * The order that the calls have to keep.
   *
   * @param calls what each touches, in the order of the model
   */
  public static CallGraph of(List<Touch> calls) {
    var graph = new CallGraph(calls.size());
    for (int later = 0; later < calls.size(); later++) {
      for (int earlier = 0; earlier < later; earlier++) {
        if (calls.get(earlier).precedes(calls.get(later))) {
          graph.before.get(later).add(earlier);
          graph.after.get(earlier).add(later);
        }
      }
    }
    return graph;
  }

  int size() {
    return before.size();
  }

  /** The calls that this one waits for, ascending. */
  List<Integer> before(int call) {
    return before.get(call);
  }

  /** The calls that wait for this one, ascending. */
  List<Integer> after(int call) {
    return after.get(call);
  }
}
