package io.fengyu.agent.run;

import io.fengyu.agent.history.Receipt;
import java.util.Collection;
import java.util.List;

/**
 * Calls with an effect, done or of unknown outcome, that a run must not make again unasked: those
 * of the runs whose plan it took over, those of its own earlier plans, and its own whose outcome
 * nobody knows.
 */
interface EarlierCalls {

  /** Nothing was called before. */
  EarlierCalls NONE =
      new EarlierCalls() {
        @Override
        public boolean expected() {
          return false;
        }

        @Override
        public List<Receipt> with(Collection<String> hashes) {
          return List.of();
        }
      };

  /** False when looking for them before every step is in vain. */
  boolean expected();

  /**
   * The receipts of such calls, oldest first. Blocks.
   *
   * @param hashes of the arguments
   */
  List<Receipt> with(Collection<String> hashes);
}
