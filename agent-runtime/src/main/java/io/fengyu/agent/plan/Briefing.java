package io.fengyu.agent.plan;

import io.fengyu.agent.scope.SessionData;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;

/** What a model is told about the work: the goal, and what is known around it. */
@ApplicationScoped
public class Briefing {

  private static final Duration WITHIN = Duration.ofSeconds(10);

  private static final int DATA = 20_000;

  private final PlanningContext context;
  private final SessionData data;

  Briefing(PlanningContext context, SessionData data) {
    this.context = context;
    this.data = data;
  }

  /** The first message of a user. Blocks, and takes no interrupt. */
  public String of(PlanningRequest request) {
    var earlier = context.earlier(request.owner(), request.sessionId(), request.runId());
    var confirmed = context.confirmed(request.owner(), request.sessionId(), request.runId());
    var sets = data.briefing(request.owner(), request.sessionId(), DATA).await().atMost(WITHIN);
    return Prompt.data(sets)
        + Prompt.user(
            request,
            earlier.await().atMost(WITHIN),
            confirmed.await().atMost(WITHIN),
            context.files(request.runId()).await().atMost(WITHIN));
  }
}
