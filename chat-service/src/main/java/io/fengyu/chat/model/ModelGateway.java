package io.fengyu.chat.model;

import io.fengyu.contract.model.ModelEvent;
import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.BackPressureStrategy;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Asks a model. The stream ends with {@link ModelEvent.Done} or fails with {@link ModelFailure};
 * cancelling it closes the connection to the provider. A failed request is repeated only while
 * nothing was passed on.
 */
@ApplicationScoped
public class ModelGateway {

  private final ModelHttp http;
  private final EndpointPolicy policy;
  private final RefusedParameters refused;
  private final MeterRegistry metrics;
  private final Tracer tracer;

  ModelGateway(
      ModelHttp http,
      EndpointPolicy policy,
      RefusedParameters refused,
      MeterRegistry metrics,
      Tracer tracer) {
    this.http = http;
    this.policy = policy;
    this.refused = refused;
    this.metrics = metrics;
    this.tracer = tracer;
  }

  /** Nothing happens before somebody subscribes. */
  public Multi<ModelEvent> stream(Backend backend, ModelRequest request) {
    return Multi.createFrom()
        .deferred(() -> traced(backend, attempt(new Attempts(backend, request, http.limits()))))
        .onFailure(ModelFailure.class)
        .transform(failure -> masked((ModelFailure) failure, backend))
        .onTermination()
        .invoke((failure, cancelled) -> count(backend, failure, cancelled));
  }

  private Multi<ModelEvent> traced(Backend backend, Multi<ModelEvent> answer) {
    var span =
        tracer
            .spanBuilder("model call")
            .setSpanKind(SpanKind.CLIENT)
            .setAttribute("backend", backend.mode().id())
            .startSpan();
    return answer
        .onTermination()
        .invoke(
            (failure, cancelled) -> {
              if (failure != null) {
                span.setStatus(StatusCode.ERROR, outcome(failure));
              }
              span.setAttribute("cancelled", cancelled).end();
            });
  }

  private Multi<ModelEvent> attempt(Attempts attempts) {
    return policy
        .addresses(attempts.protocol().chat(attempts.backend()))
        .onItem()
        .transformToMulti(addresses -> call(attempts, addresses))
        .onItem()
        .invoke(attempts::spoke)
        .onFailure(ModelFailure.class)
        .recoverWithMulti(failure -> again(attempts, (ModelFailure) failure));
  }

  private Multi<ModelEvent> again(Attempts attempts, ModelFailure failure) {
    if (mayAdapt(attempts, failure.rejectedParameter())) {
      return attempt(attempts);
    }
    return attempts
        .waitBefore(failure)
        .map(
            wait ->
                Uni.createFrom()
                    .voidItem()
                    .onItem()
                    .delayIt()
                    .by(wait)
                    .onItem()
                    .transformToMulti(unused -> attempt(attempts)))
        .orElseGet(() -> Multi.createFrom().failure(failure));
  }

  private boolean mayAdapt(Attempts attempts, @Nullable String parameter) {
    return parameter != null
        && (!parameter.equals(RefusedParameters.IMAGES) || attempts.request().hasImages())
        && refused.learn(attempts, parameter);
  }

  private Multi<ModelEvent> call(Attempts attempts, List<SocketAddress> addresses) {
    var backend = attempts.backend();
    var protocol = attempts.protocol();
    var url = protocol.chat(backend);
    var without = attempts.leavingOut(refused.of(backend));
    var request =
        without.contains(RefusedParameters.IMAGES)
            ? attempts.request().withoutImages()
            : attempts.request();
    var json = protocol.body(backend, request, without);
    var body = Buffer.buffer(json.toString());
    var address = addresses.get(attempts.number() % addresses.size());
    var options = ModelHttp.post(url, address, protocol.headers(backend), body);
    var exchange = new ModelCall.Exchange(url, options, body, protocol);
    return Multi.createFrom()
        .emitter(out -> new ModelCall(http, exchange, out).start(), BackPressureStrategy.BUFFER);
  }

  private static ModelFailure masked(ModelFailure failure, Backend backend) {
    return failure.saying(KeyMask.clean(failure.text(), backend.apiKey()));
  }

  private void count(Backend backend, Throwable failure, boolean cancelled) {
    var outcome = cancelled ? "cancelled" : failure == null ? "ok" : outcome(failure);
    metrics
        .counter("fengyu.model.requests", "backend", backend.mode().id(), "outcome", outcome)
        .increment();
  }

  private static String outcome(Throwable failure) {
    return failure instanceof ModelFailure known
        ? known.errorCode().name().toLowerCase(java.util.Locale.ROOT)
        : "unknown";
  }
}
