package io.fengyu.agent.tool;

import io.smallrye.mutiny.Uni;
import java.util.Map;

/** The tools there are right now. */
public interface ToolCatalog {

  /** Every tool the owner can call at this moment, by name; a run takes it once and keeps it. */
  Uni<Map<String, Tool>> snapshot(String owner);
}
