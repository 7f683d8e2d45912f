package io.fengyu.webhook.delivery;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.problem.ProblemBody;
import io.fengyu.contract.problem.ProblemException;
import io.fengyu.contract.problem.ProblemTexts;
import io.fengyu.contract.sandbox.SandboxPosture;
import io.fengyu.webhook.WebhookProblems;
import io.fengyu.webhook.trigger.HookedWorkflows;
import io.fengyu.webhook.trigger.Trigger;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Makes a task of a delivery whose sender has proven itself. Everything that can be refused is
 * looked at before the event is claimed; the claim is committed before the task is asked for.
 */
@ApplicationScoped
class Deliveries {

  private static final Logger LOG = Logger.getLogger(Deliveries.class);
  private static final Duration WAITS_FOR = Duration.ofSeconds(5);
  private static final Duration LOOKS_EVERY = Duration.ofMillis(50);
  private static final int LONGEST_ID = 200;

  private final DeliveryStore store;
  private final HookedWorkflows workflows;
  private final TaskAdmission admission;
  private final SandboxPosture posture;
  private final DeliveryFollower follower;
  private final ObjectMapper json;
  private final ProblemBody texts;

  Deliveries(
      DeliveryStore store,
      HookedWorkflows workflows,
      TaskAdmission admission,
      SandboxPosture posture,
      DeliveryFollower follower,
      ObjectMapper json) {
    this.store = store;
    this.workflows = workflows;
    this.admission = admission;
    this.posture = posture;
    this.follower = follower;
    this.json = json;
    this.texts = new ProblemBody(new ProblemTexts(), json);
  }

  /**
   * What the sender is told.
   *
   * @param status 202 for a new delivery, 200 for one that came before
   */
  record Outcome(int status, ObjectNode body) {}

  /**
   * Delivers.
   *
   * @param body a JSON object
   * @param sentId the event id as it was sent; null for none
   */
  Uni<Outcome> deliver(Trigger trigger, ObjectNode body, @Nullable String sentId) {
    var event = event(trigger, sentId);
    var inputs = merged(trigger, body);
    return sandboxed(trigger)
        .chain(
            () ->
                workflows.runnable(
                    trigger.owner(), trigger.workflowId(), inputs, trigger.permissionMode()))
        .onFailure(ProblemException.class)
        .call(failure -> note(trigger, failure))
        .chain(() -> claim(trigger, inputs, event));
  }

  private static byte @Nullable [] event(Trigger trigger, @Nullable String sentId) {
    var id = sentId == null ? "" : sentId.strip();
    if (id.isEmpty()) {
      return null;
    }
    if (id.codePointCount(0, id.length()) > LONGEST_ID) {
      throw WebhookProblems.eventIdTooLong(LONGEST_ID);
    }
    return digest(trigger.id() + " " + id);
  }

  private static byte[] digest(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  // By whole fields: an object takes the place of the default, and so does a null.
  private ObjectNode merged(Trigger trigger, ObjectNode body) {
    try {
      var inputs = json.readValue(trigger.defaultInputs(), ObjectNode.class);
      inputs.setAll(body);
      return inputs;
    } catch (JsonProcessingException broken) {
      throw new IllegalStateException("stored inputs are no JSON", broken);
    }
  }

  private Uni<Void> sandboxed(Trigger trigger) {
    return trigger.sandboxed()
        ? posture
            .weakened(trigger.owner())
            .invoke(
                weakened -> {
                  if (weakened) {
                    throw WebhookProblems.weakened(trigger.id().toString());
                  }
                })
            .replaceWithVoid()
        : Uni.createFrom().voidItem();
  }

  private Uni<Void> note(Trigger trigger, ProblemException failure) {
    return store.refused(trigger.id(), text(failure));
  }

  private Uni<Outcome> claim(Trigger trigger, ObjectNode inputs, byte @Nullable [] event) {
    var id = UUID.randomUUID();
    return store
        .claim(id, trigger.id(), trigger.owner(), event)
        .chain(
            mine ->
                mine || event == null
                    ? admit(trigger, id, inputs)
                    : before(trigger, inputs, event, System.nanoTime()));
  }

  private Uni<Outcome> admit(Trigger trigger, UUID id, ObjectNode inputs) {
    return admission
        .admit(id, trigger, inputs)
        .onFailure()
        .recoverWithUni(failure -> notAdmitted(id, failure))
        .call(() -> store.admitted(id))
        .invoke(follower::wake)
        .map(
            admitted -> new Outcome(202, answer(trigger, new Delivery(id, "QUEUED", null), false)));
  }

  // What is not certain is settled by asking for the task, when no call is on its way any more.
  private Uni<Void> notAdmitted(UUID id, Throwable failure) {
    if (!TaskAdmission.nothingAdmitted(failure)) {
      LOG.warnf("Whether delivery %s was admitted is not known yet", id);
      follower.wake();
      return Uni.createFrom().failure(WebhookProblems.unavailable());
    }
    var known = (ProblemException) failure;
    var told = known.problem().status() < 500 ? known : WebhookProblems.unavailable();
    return store.release(id, text(told)).chain(() -> Uni.createFrom().failure(told));
  }

  private Uni<Outcome> before(Trigger trigger, ObjectNode inputs, byte[] event, long since) {
    return store
        .known(trigger.id(), event)
        .chain(found -> repeated(trigger, inputs, event, found, since));
  }

  private Uni<Outcome> repeated(
      Trigger trigger, ObjectNode inputs, byte[] event, Optional<Delivery> found, long since) {
    if (found.isEmpty()) {
      return claim(trigger, inputs, event);
    }
    if (!found.get().pending()) {
      return Uni.createFrom().item(new Outcome(200, answer(trigger, found.get(), true)));
    }
    if (System.nanoTime() - since > WAITS_FOR.toNanos()) {
      throw WebhookProblems.pending();
    }
    return Uni.createFrom()
        .voidItem()
        .onItem()
        .delayIt()
        .by(LOOKS_EVERY)
        .chain(() -> before(trigger, inputs, event, since));
  }

  private ObjectNode answer(Trigger trigger, Delivery delivery, boolean duplicate) {
    return json.createObjectNode()
        .put("triggerId", trigger.id().toString())
        .put("taskId", delivery.id().toString())
        .put("accepted", delivery.accepted())
        .put("duplicate", duplicate)
        .put("deliveryStatus", delivery.state())
        .put("error", delivery.accepted() ? null : delivery.error());
  }

  private String text(ProblemException failure) {
    return texts.render(failure.problem(), null, null, null).path("detail").asText();
  }
}
