package io.fengyu.agent.plan;

import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;

/** What a model is told about the work: the goal, and what is known around it. */
@ApplicationScoped
public class Briefing {

  private static final Duration WITHIN = Duration.ofSeconds(10);

  private final PlanningContext context;

  Briefing(PlanningContext context) {
    this.context = context;
  }

  /** The first message of a user. Blocks, and takes no interrupt. */
  public String of(PlanningRequest request) {
    var earlier = context.earlier(request.owner(), request.sessionId(), request.runId());
    var confirmed = context.confirmed(request.owner(), request.sessionId(), request.runId());
    return Prompt.user(
        request,
        earlier.await().atMost(WITHIN),
        confirmed.await().atMost(WITHIN),
        context.files(request.runId()).await().atMost(WITHIN));
  }
}
