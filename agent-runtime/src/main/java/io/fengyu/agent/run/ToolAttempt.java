package io.fengyu.agent.run;

import io.fengyu.agent.journal.Change.ReceiptState;
import io.fengyu.agent.tool.Tool;
import io.fengyu.agent.tool.ToolCall;
import io.fengyu.agent.tool.ToolException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/** One attempt to call a tool. */
public final class ToolAttempt {

  /** What a call says that was stopped. */
  public static final String STOPPED = "Cancelled";

  private static final Logger LOG = Logger.getLogger(ToolAttempt.class);
  // What exactly went wrong is in the log: such messages tell of classes, paths and statements.
  private static final String BROKE_OFF = "The tool broke off because of a fault of the server";

  private ToolAttempt() {}

  /**
   * Calls a tool on the current thread, and never throws for what the tool does.
   *
   * @param call made just before, so that what goes wrong with it is an end of the call as well
   * @param stopped true once the work that the call belongs to has to end
   */
  public static ToolOutcome make(Tool tool, Supplier<ToolCall> call, BooleanSupplier stopped) {
    try {
      return ToolOutcome.of(tool.call(call.get()));
    } catch (InterruptedException e) {
      return new ToolOutcome.Refused(STOPPED, ReceiptState.UNKNOWN);
    } catch (ToolException e) {
      var state = e.outcomeUnknown() ? ReceiptState.UNKNOWN : ReceiptState.FAILED;
      return new ToolOutcome.Refused(String.valueOf(e.getMessage()), state);
    } catch (Exception | StackOverflowError | OutOfMemoryError | LinkageError e) {
      return brokeOff(tool, e, stopped.getAsBoolean());
    }
  }

  private static ToolOutcome brokeOff(Tool tool, Throwable fault, boolean stopped) {
    if (stopped) {
      return new ToolOutcome.Refused(STOPPED, ReceiptState.UNKNOWN);
    }
    LOG.warnf(fault, "Tool %s broke off", tool.spec().name());
    return new ToolOutcome.Refused(BROKE_OFF, ReceiptState.UNKNOWN);
  }
}
