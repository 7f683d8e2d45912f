package io.fengyu.webhook.delivery;

import io.fengyu.contract.identity.Digest;
import io.fengyu.contract.instance.Instances;
import io.fengyu.contract.net.RequestEnvelope;
import io.fengyu.contract.net.Windows;
import io.fengyu.contract.problem.ProblemWriter;
import io.fengyu.webhook.WebhookProblems;
import io.fengyu.webhook.signature.SignatureScheme;
import io.fengyu.webhook.signature.SignatureScheme.Headers;
import io.fengyu.webhook.trigger.Trigger;
import io.fengyu.webhook.trigger.TriggerStore;
import io.fengyu.webhook.trigger.Triggers;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.security.MessageDigest;
import java.time.Clock;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Takes deliveries from the raw request: who sends a wrong secret is answered before a byte of the
 * body is read, and what is too long is answered without reading the rest.
 */
@ApplicationScoped
class DeliveryDoor {

  private static final String PREFIX = "/api/workflow-hooks/";
  private static final String SECRET = "X-FengYu-Webhook-Secret";
  private static final String EVENT_ID = "X-FengYu-Event-Id";
  private static final int AFTER_AUTHENTICATION = RequestEnvelope.PRIORITY - 15;

  // Compared with where there is no trigger, so that this takes as long.
  private static final byte[] NOBODYS = Digest.of(Digest.newSecret()).bytes();

  private final TriggerStore store;
  private final Triggers triggers;
  private final Deliveries deliveries;
  private final RateConfig config;
  private final Instances instances;
  private final ProblemWriter problems;
  private final Clock clock;
  private final Windows rates = new Windows(System::nanoTime);

  DeliveryDoor(
      TriggerStore store,
      Triggers triggers,
      Deliveries deliveries,
      RateConfig config,
      Instances instances,
      ProblemWriter problems,
      Clock clock) {
    this.store = store;
    this.triggers = triggers;
    this.deliveries = deliveries;
    this.config = config;
    this.instances = instances;
    this.problems = problems;
    this.clock = clock;
  }

  void register(@Observes Filters filters) {
    filters.register(this::handle, AFTER_AUTHENTICATION);
  }

  private void handle(RoutingContext context) {
    var path = context.normalizedPath();
    if (!context.request().method().equals(HttpMethod.POST) || !path.startsWith(PREFIX)) {
      context.next();
      return;
    }
    context.request().pause();
    store
        .find(id(path.substring(PREFIX.length())))
        .subscribe()
        .with(found -> prove(context, found), failure -> refuse(context, failure));
  }

  // An id that can be none is looked for too, and is as unknown as any other.
  private static UUID id(String text) {
    try {
      var id = UUID.fromString(text);
      return id.toString().equals(text) ? id : new UUID(0, 0);
    } catch (IllegalArgumentException noId) {
      return new UUID(0, 0);
    }
  }

  private void prove(RoutingContext context, Optional<Trigger> found) {
    var sent = context.request().getHeader(SECRET);
    var stored = found.map(trigger -> trigger.secretDigest().getBytes()).orElse(NOBODYS);
    var right = MessageDigest.isEqual(Digest.of(sent == null ? "" : sent).bytes(), stored);
    var open = found.filter(Trigger::enabled);
    if (right && open.isPresent()) {
      read(context, open.get(), null);
      return;
    }
    var scheme = open.flatMap(trigger -> claimed(context, trigger));
    if (sent == null && scheme.isPresent()) {
      read(context, open.get(), scheme.get());
    } else {
      turnAway(context);
    }
  }

  private static Optional<SignatureScheme> claimed(RoutingContext context, Trigger trigger) {
    return Optional.ofNullable(trigger.signatureScheme())
        .flatMap(SignatureScheme::named)
        .filter(scheme -> scheme.claimed(headers(context)));
  }

  private static Headers headers(RoutingContext context) {
    return Headers.of(name -> context.request().getHeader(name));
  }

  private void turnAway(RoutingContext context) {
    hangUp(context);
    problems.write(context, WebhookProblems.unauthorized());
  }

  private void refuse(RoutingContext context, Throwable failure) {
    hangUp(context);
    problems.fail(context, failure);
  }

  // What was not read of the body would be taken for the next request.
  private static void hangUp(RoutingContext context) {
    if (!context.request().isEnded()) {
      UnreadBody.hangUp(context);
    }
  }

  private void read(RoutingContext context, Trigger trigger, @Nullable SignatureScheme scheme) {
    if (scheme == null && !admitted(context, trigger)) {
      return;
    }
    BodyReader.read(
        context,
        body -> arrived(context, trigger, scheme, body),
        () -> {
          hangUp(context);
          problems.write(context, WebhookProblems.tooLarge(BodyReader.MOST_BYTES));
        });
  }

  private boolean admitted(RoutingContext context, Trigger trigger) {
    var limit = config.ratePerMinute();
    var share = Math.max(1, limit / instances.liveReplicas());
    if (limit > 0 && rates.count(trigger.id().toString()) > share) {
      refuse(context, WebhookProblems.rate(limit, rates.remaining()));
      return false;
    }
    return true;
  }

  private void arrived(
      RoutingContext context, Trigger trigger, @Nullable SignatureScheme scheme, byte[] body) {
    if (scheme != null) {
      var secret = triggers.signatureSecret(trigger).orElse("");
      if (secret.isEmpty() || !scheme.proves(secret, headers(context), body, clock.instant())) {
        problems.write(context, WebhookProblems.unauthorized());
        return;
      }
      if (!admitted(context, trigger)) {
        return;
      }
    }
    try {
      deliver(context, trigger, scheme, body);
    } catch (RuntimeException refused) {
      problems.fail(context, refused);
    }
  }

  private void deliver(
      RoutingContext context, Trigger trigger, @Nullable SignatureScheme scheme, byte[] body) {
    var content = DeliveryBody.read(body);
    var eventId =
        scheme == null
            ? context.request().getHeader(EVENT_ID)
            : scheme
                .eventId(headers(context))
                .orElseGet(() -> content.path(scheme.eventIdField().orElse("")).asText(""));
    deliveries
        .deliver(trigger, content, eventId)
        .subscribe()
        .with(outcome -> answer(context, outcome), failure -> problems.fail(context, failure));
  }

  private static void answer(RoutingContext context, Deliveries.Outcome outcome) {
    if (!context.response().ended()) {
      context
          .response()
          .setStatusCode(outcome.status())
          .putHeader("Content-Type", "application/json")
          .end(outcome.body().toString());
    }
  }
}
