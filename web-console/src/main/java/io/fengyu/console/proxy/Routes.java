package io.fengyu.console.proxy;

import java.util.Map;
import java.util.Optional;

/** Which service owns a path: the longest prefix of whole segments wins. */
final class Routes {

  private static final Map<String, Owner> OWNERS =
      Map.ofEntries(
          Map.entry("/api/ai", Owner.CHAT),
          Map.entry("/api/admin", Owner.CHAT),
          Map.entry("/api/agent", Owner.AGENT),
          Map.entry("/api/ai/files", Owner.AGENT),
          Map.entry("/api/ai/memory", Owner.AGENT),
          Map.entry("/api/skills", Owner.AGENT),
          Map.entry("/api/learning", Owner.AGENT),
          Map.entry("/api/mcp", Owner.AGENT),
          Map.entry("/api/mail", Owner.AGENT),
          Map.entry("/api/plugin-market", Owner.AGENT),
          Map.entry("/api/plugin-runtime", Owner.AGENT),
          Map.entry("/api/plugin-hooks", Owner.AGENT),
          Map.entry("/api/settings", Owner.AGENT),
          Map.entry("/api/capabilities", Owner.AGENT),
          Map.entry("/api/security", Owner.AGENT),
          Map.entry("/api/workflows", Owner.WORKFLOW),
          Map.entry("/api/workflow-templates", Owner.WORKFLOW),
          Map.entry("/api/agent/tasks", Owner.SCHEDULER),
          Map.entry("/api/agent/schedules", Owner.SCHEDULER),
          Map.entry("/api/agent/webhook-triggers", Owner.WEBHOOK),
          Map.entry("/api/workflow-hooks", Owner.WEBHOOK));

  private Routes() {}

  /** The owner of a normalized path; empty when nobody owns it. */
  static Optional<Owner> ownerOf(String path) {
    for (var end = path.length(); end > 0; end = path.lastIndexOf('/', end - 1)) {
      var owner = OWNERS.get(path.substring(0, end));
      if (owner != null) {
        return Optional.of(owner);
      }
    }
    return Optional.empty();
  }
}
