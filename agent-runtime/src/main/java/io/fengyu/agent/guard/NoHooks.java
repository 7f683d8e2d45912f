package io.fengyu.agent.guard;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.tool.ToolSpec;
import jakarta.enterprise.inject.Vetoed;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Nobody is asked and nobody is told. */
@Vetoed
final class NoHooks implements HookGate {

  @Override
  public @Nullable Verdict before(Subject subject, ToolSpec tool, ObjectNode args) {
    return null;
  }

  @Override
  public void after(
      Subject subject, ToolSpec tool, ObjectNode args, boolean success, String result) {}

  @Override
  public void runEnded(String owner, UUID runId, String goal, boolean completed, String result) {}

  @Override
  public List<String> names(String owner, Collection<String> tools) {
    return List.of();
  }
}
