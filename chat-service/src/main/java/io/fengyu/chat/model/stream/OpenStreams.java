package io.fengyu.chat.model.stream;

import io.fengyu.chat.model.ModelLimits;
import io.fengyu.chat.model.config.AiProblems;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.HashMap;
import java.util.Map;

/** Counts the streams that are open now; an owner who has none is not kept. */
@ApplicationScoped
class OpenStreams {

  private final ModelLimits limits;
  private final Map<String, Integer> byOwner = new HashMap<>();
  private int all;

  OpenStreams(ModelLimits limits) {
    this.limits = limits;
  }

  /** Refuses with 429 when the process or the owner has too many open. */
  synchronized void enter(String owner) {
    var own = byOwner.getOrDefault(owner, 0);
    if (all >= limits.streams()) {
      throw AiProblems.busy("global");
    }
    if (own >= limits.streamsPerOwner()) {
      throw AiProblems.busy("owner");
    }
    all++;
    byOwner.put(owner, own + 1);
  }

  synchronized void leave(String owner) {
    all--;
    byOwner.computeIfPresent(owner, (unused, own) -> own == 1 ? null : own - 1);
  }
}
