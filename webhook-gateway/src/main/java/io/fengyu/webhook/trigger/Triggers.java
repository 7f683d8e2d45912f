package io.fengyu.webhook.trigger;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.identity.Digest;
import io.fengyu.contract.sandbox.SandboxPosture;
import io.fengyu.contract.secret.SecretCipher;
import io.fengyu.webhook.WebhookProblems;
import io.fengyu.webhook.trigger.TriggerStore.Draft;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Makes, shows, changes and ends the triggers of owners. */
@ApplicationScoped
public class Triggers {

  private final TriggerStore store;
  private final HookedWorkflows workflows;
  private final SandboxPosture posture;
  private final SecretCipher cipher;
  private final ObjectMapper json;

  Triggers(
      TriggerStore store,
      HookedWorkflows workflows,
      SandboxPosture posture,
      SecretCipher cipher,
      ObjectMapper json) {
    this.store = store;
    this.workflows = workflows;
    this.posture = posture;
    this.cipher = cipher;
    this.json = json;
  }

  Uni<TriggerView> create(String owner, TriggerWish wish) {
    var workflowId = wish.workflowId();
    var id = UUID.randomUUID();
    var secret = Digest.newSecret();
    return workflows
        .known(owner, workflowId)
        .chain(() -> checked(owner, workflowId, wish))
        .chain(() -> posture.weakened(owner))
        .map(weakened -> draft(id, owner, workflowId, wish, weakened))
        .chain(draft -> store.create(id, draft, Digest.of(secret)))
        .map(trigger -> view(trigger, secret));
  }

  private Uni<Void> checked(String owner, String workflowId, TriggerWish wish) {
    var unused = wish.name("");
    return unattended(
        owner, workflowId, wish.defaultInputs(), wish.permissionMode(TriggerWish.ASKING));
  }

  private Uni<Void> unattended(String owner, String workflowId, ObjectNode defaults, String mode) {
    return workflows
        .foreseen(owner, workflowId, defaults, mode)
        .invoke(foreseen -> refuseAsking(mode, foreseen))
        .replaceWithVoid();
  }

  // Nobody is there to be asked; the other modes were chosen knowing that.
  private static void refuseAsking(String mode, JsonNode foreseen) {
    if (mode.equals(TriggerWish.ASKING) && !foreseen.path("unattendedOk").asBoolean()) {
      throw WebhookProblems.unattended(foreseen);
    }
  }

  private Draft draft(
      UUID id, String owner, String workflowId, TriggerWish wish, boolean weakened) {
    var signature = wish.signature();
    return new Draft(
        owner,
        workflowId,
        wish.name("Webhook " + workflowId),
        wish.defaultInputs().toString(),
        wish.permissionMode(TriggerWish.ASKING),
        weakened ? Trigger.UNSANDBOXED : "sandboxed",
        signature == null ? null : signature.scheme().wire(),
        signature == null ? null : cipher.seal(signature.secret(), purpose(id)));
  }

  /** What a signature's secret is sealed for. */
  private static String purpose(UUID triggerId) {
    return "webhook-signature " + triggerId;
  }

  /** The secret that signatures of a trigger are made with; empty when there is none. */
  public Optional<String> signatureSecret(Trigger trigger) {
    var sealed = trigger.signatureSecret();
    return sealed == null ? Optional.empty() : cipher.open(sealed, purpose(trigger.id()));
  }

  Uni<List<TriggerView>> list(String owner) {
    return store
        .list(owner)
        .map(found -> found.stream().map(trigger -> view(trigger, null)).toList());
  }

  Uni<TriggerView> rotate(String id, String owner) {
    var secret = Digest.newSecret();
    return known(id)
        .map(known -> store.rotate(known, owner, Digest.of(secret)))
        .orElse(Uni.createFrom().item(Optional.empty()))
        .map(found -> found.orElseThrow(() -> WebhookProblems.triggerNotFound(id)))
        .map(trigger -> view(trigger, secret));
  }

  Uni<TriggerView> change(String id, String owner, TriggerWish wish) {
    return owned(id, owner)
        .map(trigger -> changed(trigger, wish))
        .call(
            changed ->
                unattended(
                    owner,
                    changed.workflowId(),
                    object(changed.defaultInputs()),
                    changed.permissionMode()))
        .chain(store::change)
        .map(found -> found.orElseThrow(() -> WebhookProblems.triggerNotFound(id)))
        .map(trigger -> view(trigger, null));
  }

  private Trigger changed(Trigger old, TriggerWish wish) {
    var signature = wish.signature();
    var keeps = !wish.names("signature");
    var scheme = signature == null ? null : signature.scheme().wire();
    var sealed = signature == null ? null : cipher.seal(signature.secret(), purpose(old.id()));
    return new Trigger(
        old.id(),
        old.owner(),
        old.workflowId(),
        wish.name(old.name()),
        wish.has("defaultInputs") ? wish.defaultInputs().toString() : old.defaultInputs(),
        wish.permissionMode(old.permissionMode()),
        old.sandboxProfile(),
        old.secretDigest(),
        wish.enabled(old.enabled()),
        keeps ? old.signatureScheme() : scheme,
        keeps ? old.signatureSecret() : sealed,
        old.fires(),
        old.lastFireAt(),
        old.lastTaskId(),
        old.lastError(),
        old.createdAt());
  }

  Uni<Boolean> delete(String id, String owner) {
    return known(id).map(known -> store.delete(known, owner)).orElse(Uni.createFrom().item(false));
  }

  /** Fails with 404 unless it is there and the owner's. */
  public Uni<Trigger> owned(String id, String owner) {
    return known(id)
        .map(store::find)
        .orElse(Uni.createFrom().item(Optional.empty()))
        .map(
            found ->
                found
                    .filter(trigger -> trigger.owner().equals(owner))
                    .orElseThrow(() -> WebhookProblems.triggerNotFound(id)));
  }

  private TriggerView view(Trigger trigger, @Nullable String secret) {
    var keys = new ArrayList<String>();
    object(trigger.defaultInputs()).fieldNames().forEachRemaining(keys::add);
    return TriggerView.of(trigger, List.copyOf(keys), secret);
  }

  private ObjectNode object(String stored) {
    try {
      return json.readValue(stored, ObjectNode.class);
    } catch (JsonProcessingException broken) {
      throw new IllegalStateException("stored inputs are no JSON", broken);
    }
  }

  private static Optional<UUID> known(String id) {
    try {
      return Optional.of(UUID.fromString(id));
    } catch (IllegalArgumentException noId) {
      return Optional.empty();
    }
  }
}
