package io.fengyu.webhook.delivery;

import io.fengyu.contract.identity.Caller;
import io.fengyu.webhook.WebhookProblems;
import io.fengyu.webhook.trigger.Triggers;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Shows owners what came in at their triggers. Nothing here delivers again. */
@Path("/api/agent/webhook-triggers/{id}/deliveries")
@Produces(MediaType.APPLICATION_JSON)
public class AuditResource {

  private static final int DEFAULT = 20;
  private static final int MOST = 100;

  private final Triggers triggers;
  private final DeliveryStore store;
  private final Caller caller;

  AuditResource(Triggers triggers, DeliveryStore store, Caller caller) {
    this.triggers = triggers;
    this.store = store;
    this.caller = caller;
  }

  /** Newest first. */
  @GET
  public Uni<List<DeliveryView>> deliveries(
      String id, @QueryParam("limit") @Nullable String limit) {
    var most = limit(limit);
    return triggers.owned(id, caller.owner()).chain(trigger -> store.audit(trigger.id(), most));
  }

  private static int limit(@Nullable String text) {
    if (text == null) {
      return DEFAULT;
    }
    var number = text.matches("[0-9]{1,4}") ? Integer.parseInt(text) : 0;
    if (number < 1 || number > MOST) {
      throw WebhookProblems.limit(1, MOST);
    }
    return number;
  }
}
