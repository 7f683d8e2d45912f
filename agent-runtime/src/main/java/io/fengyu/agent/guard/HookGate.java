package io.fengyu.agent.guard;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.tool.ToolSpec;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The hooks of owners, as far as calls and runs have to do with them. */
public interface HookGate {

  /** Of somebody who has none. */
  HookGate NONE = new NoHooks();

  /**
   * Asks the hooks about a call before it is made; waits for them.
   *
   * @param args resolved; hooks see them as anybody may
   * @return null when they let it through
   */
  @Nullable Verdict before(Subject subject, ToolSpec tool, ObjectNode args);

  /** Tells the hooks of a call that has ended; waits for nothing. */
  void after(Subject subject, ToolSpec tool, ObjectNode args, boolean success, String result);

  /**
   * Tells the hooks of a run that has ended; waits for nothing.
   *
   * @param result the summary, or the error
   */
  void runEnded(String owner, UUID runId, String goal, boolean completed, String result);

  /** Names of the hooks that would be asked about calls of these tools. Asks none. */
  List<String> names(String owner, Collection<String> tools);
}
