package io.fengyu.agent.guard;

import io.fengyu.agent.guard.Verdict.Decision;
import io.fengyu.agent.guard.Verdict.Piece;
import io.fengyu.agent.guard.Verdict.Stage;
import io.fengyu.agent.guard.Verdict.Trace;
import io.fengyu.agent.tool.Effect;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What most calls get: the mode lets them run. Made once, as it is the same for all of them. */
@SuppressWarnings("EnumOrdinal") // an index into a table of this process, never stored
final class ModeVerdicts {

  private static final Trace BY_MODE = new Trace(Stage.MODE, null, true, null);
  private static final List<List<Verdict>> PLAIN = plain();

  private ModeVerdicts() {}

  static Verdict allow(PermissionMode mode, Effect effect, List<Trace> before, List<Piece> pieces) {
    var plain = PLAIN.get(mode.ordinal()).get(effect.ordinal());
    if (before.isEmpty() && pieces.isEmpty()) {
      return plain;
    }
    var trace = new ArrayList<>(before);
    trace.add(BY_MODE);
    return new Verdict(Decision.ALLOW, Stage.MODE, null, plain.reason(), pieces, trace);
  }

  private static List<List<Verdict>> plain() {
    return Stream.of(PermissionMode.values()).map(ModeVerdicts::ofMode).toList();
  }

  private static List<Verdict> ofMode(PermissionMode mode) {
    return Stream.of(Effect.values())
        .map(effect -> "mode " + mode.wire() + ", effect " + effect.wire())
        .map(reason -> Verdict.of(Decision.ALLOW, Stage.MODE, null, reason))
        .toList();
  }
}
