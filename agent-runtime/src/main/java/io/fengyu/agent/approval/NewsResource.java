package io.fengyu.agent.approval;

import io.fengyu.contract.identity.Caller;
import io.smallrye.mutiny.Uni;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import org.jspecify.annotations.Nullable;

/** Hears from other services which of their questions were asked and answered. */
@Path("/internal/approvals/news")
public class NewsResource {

  private final GateNews news;
  private final Caller caller;

  NewsResource(GateNews news, Caller caller) {
    this.news = news;
    this.caller = caller;
  }

  /**
   * One question.
   *
   * @param subject the turn or task that asks
   * @param type {@code opened} or {@code closed}
   * @param outcome what it was closed with; null for an opening
   */
  public record News(
      @NotNull @Pattern(regexp = "chat|task") String source,
      @NotNull @Size(max = 64) String subject,
      @NotNull @Size(max = 128) String gateId,
      @NotNull @Pattern(regexp = "opened|closed") String type,
      @Nullable @Size(max = 32) String outcome) {}

  /** Telling it twice is telling it once. */
  @POST
  public Uni<Void> tell(@NotNull @Valid News body) {
    return news.note(caller.owner(), body);
  }
}
