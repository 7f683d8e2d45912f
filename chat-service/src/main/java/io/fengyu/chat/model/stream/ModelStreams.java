package io.fengyu.chat.model.stream;

import io.fengyu.chat.model.Backend;
import io.fengyu.chat.model.ModelFailure;
import io.fengyu.chat.model.ModelGateway;
import io.fengyu.chat.model.ModelLimits;
import io.fengyu.chat.model.ModelRequest;
import io.fengyu.chat.model.config.AiConfigs;
import io.fengyu.chat.model.config.PinnedBackends;
import io.fengyu.contract.model.ModelEvent;
import io.fengyu.contract.model.ModelStreamRequest;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Opens streams of model events for other services, so many at a time. */
@ApplicationScoped
class ModelStreams {

  private static final int MERGE_BUFFER = 16;

  private final AiConfigs configs;
  private final PinnedBackends pinned;
  private final ModelGateway gateway;
  private final OpenStreams open;
  private final Duration heartbeat;

  ModelStreams(
      AiConfigs configs,
      PinnedBackends pinned,
      ModelGateway gateway,
      OpenStreams open,
      ModelLimits limits) {
    this.configs = configs;
    this.pinned = pinned;
    this.gateway = gateway;
    this.open = open;
    this.heartbeat = limits.heartbeat();
  }

  Uni<Void> ready(String owner, @Nullable String model) {
    return configs.backend(owner, model).replaceWithVoid();
  }

  Multi<ModelEvent> open(String owner, ModelStreamRequest body) {
    var request = Conversation.of(body);
    return Multi.createFrom()
        .deferred(
            () -> {
              open.enter(owner);
              return backend(owner, body)
                  .onItem()
                  .transformToMulti(
                      backend -> answer(start(owner, backend, body.pin()), backend, request))
                  .onTermination()
                  .invoke(() -> open.leave(owner));
            });
  }

  private Uni<Backend> backend(String owner, ModelStreamRequest body) {
    var pin = body.pin();
    return pin == null
        ? configs.backend(owner, body.model())
        : Uni.createFrom().item(() -> pinned.backend(owner, pin));
  }

  private Multi<ModelEvent> answer(ModelEvent start, Backend backend, ModelRequest request) {
    var answer =
        gateway.stream(backend, request)
            .onFailure(ModelFailure.class)
            .recoverWithItem(failure -> failed((ModelFailure) failure))
            .map(Optional::of);
    // The empty one at the end ends the beats together with the answer.
    var whole =
        Multi.createBy()
            .concatenating()
            .streams(
                Multi.createFrom().item(Optional.of(start)),
                answer,
                Multi.createFrom().<Optional<ModelEvent>>item(Optional.empty()));
    var beats =
        Multi.createFrom()
            .ticks()
            .startingAfter(heartbeat)
            .every(heartbeat)
            .onOverflow()
            .drop()
            .map(tick -> Optional.<ModelEvent>of(new ModelEvent.Heartbeat()));
    return Multi.createBy()
        .merging()
        .withConcurrency(2)
        .withRequests(MERGE_BUFFER)
        .streams(whole, beats)
        .select()
        .first(Optional::isPresent)
        .map(Optional::get);
  }

  private ModelEvent start(String owner, Backend backend, @Nullable String pin) {
    return new ModelEvent.Start(
        backend.mode().id(), backend.model(), pin == null ? pinned.pin(owner, backend) : pin);
  }

  private static ModelEvent failed(ModelFailure failure) {
    var wait = failure.retryAfter();
    return new ModelEvent.Failed(
        "PROVIDER_ERROR",
        failure.errorCode().name(),
        failure.text(),
        wait == null ? null : wait.toMillis());
  }
}
