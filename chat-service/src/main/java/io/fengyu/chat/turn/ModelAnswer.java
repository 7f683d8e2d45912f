package io.fengyu.chat.turn;

import io.fengyu.chat.journal.LiveTurn;
import io.fengyu.chat.model.ModelFailure;
import io.fengyu.contract.model.ModelEvent;
import io.fengyu.contract.model.ModelTurn;
import io.smallrye.mutiny.Multi;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * One answer of a model: shown while it comes, on the thread that it comes on; put together for the
 * next request. The model is read only as fast as what it says can be stored.
 */
final class ModelAnswer implements Flow.Subscriber<ModelEvent> {

  private static final int AHEAD = 256;

  private final ModelTurn whole = new ModelTurn();
  private final CompletableFuture<ModelTurn> end = new CompletableFuture<>();
  private final @Nullable LiveTurn shown;
  private Flow.@Nullable Subscription subscription;
  private int taken;

  private ModelAnswer(@Nullable LiveTurn shown) {
    this.shown = shown;
  }

  /**
   * Waits for the whole answer.
   *
   * @param shown gets its words; null for an answer that nobody is shown
   * @throws ModelFailure when the model does not finish it
   */
  static ModelTurn of(Multi<ModelEvent> events, @Nullable LiveTurn shown)
      throws InterruptedException {
    var answer = new ModelAnswer(shown);
    events.subscribe().withSubscriber(answer);
    return answer.await();
  }

  private ModelTurn await() throws InterruptedException {
    try {
      return end.get();
    } catch (InterruptedException stopped) {
      cancel();
      throw stopped;
    } catch (ExecutionException failed) {
      throw failed.getCause() instanceof RuntimeException known
          ? known
          : new IllegalStateException(failed.getCause());
    }
  }

  private synchronized void cancel() {
    if (subscription != null) {
      subscription.cancel();
    }
  }

  @Override
  public void onSubscribe(Flow.Subscription begun) {
    synchronized (this) {
      subscription = begun;
    }
    begun.request(AHEAD);
  }

  @Override
  public void onNext(ModelEvent event) {
    whole.take(event);
    var turn = shown;
    if (turn != null) {
      switch (event) {
        case ModelEvent.Text(var text) -> turn.token(text);
        case ModelEvent.Thinking(var text) -> turn.thinking(text);
        default -> {}
      }
    }
    if (++taken >= AHEAD / 2) {
      taken = 0;
      more();
    }
  }

  private void more() {
    var open = subscription;
    if (open == null) {
      return;
    }
    if (shown == null) {
      open.request(AHEAD / 2);
    } else {
      shown.whenRoom(() -> open.request(AHEAD / 2));
    }
  }

  @Override
  public void onError(Throwable failure) {
    end.completeExceptionally(failure);
  }

  @Override
  public void onComplete() {
    end.complete(whole);
  }
}
