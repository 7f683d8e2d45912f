package io.fengyu.agent.tool;

import io.smallrye.mutiny.Uni;
import java.util.List;

/** One origin of tools, such as the program itself or the servers that an owner configured. */
public interface ToolSource {

  /** Rank of what ships with the product. */
  int SHIPPED = 0;

  /** Rank of what packages bring. */
  int PLUGIN = 10;

  /** Rank of what servers offer. */
  int MCP = 20;

  /** Rank of what published workflows offer. */
  int WORKFLOW = 30;

  /** Where two origins offer one name, the tool of the lower rank is the one that is called. */
  int rank();

  /** What the owner can call from here right now, in the order of the catalog. */
  Uni<List<Tool>> tools(String owner);
}
