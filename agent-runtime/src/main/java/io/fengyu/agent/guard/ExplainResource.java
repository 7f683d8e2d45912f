package io.fengyu.agent.guard;

import com.fasterxml.jackson.databind.JsonNode;
import io.fengyu.agent.guard.Verdict.Decision;
import io.fengyu.agent.guard.Verdict.Piece;
import io.fengyu.agent.guard.Verdict.Trace;
import io.fengyu.contract.identity.Caller;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Explains what the guard would say about a call, without making it. */
@Path("/api/agent/guard/explain")
public class ExplainResource {

  private static final Duration CATALOG_ANSWERS_WITHIN = Duration.ofSeconds(10);

  private final Explanation explanation;
  private final Caller caller;

  ExplainResource(Explanation explanation, Caller caller) {
    this.explanation = explanation;
    this.caller = caller;
  }

  /**
   * A verdict with its reasons.
   *
   * @param segments the commands of the call; empty for a tool that runs none
   * @param trace everything that was compared, in order
   */
  public record Explained(
      Decision verdict, List<Piece> segments, List<Trace> trace, String reason) {}

  @POST
  @RunOnVirtualThread
  public Explained explain(@Nullable JsonNode body) {
    var owner = caller.owner();
    var tools = explanation.tools(owner).await().atMost(CATALOG_ANSWERS_WITHIN);
    var verdict = explanation.of(owner, tools, body);
    return new Explained(verdict.decision(), verdict.segments(), verdict.trace(), verdict.reason());
  }
}
