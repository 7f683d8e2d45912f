package io.fengyu.chat.turn;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.fengyu.chat.journal.LiveTurn;
import io.fengyu.chat.journal.TurnConfig;
import io.fengyu.chat.journal.TurnStore;
import io.fengyu.contract.db.Listener;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Asks owners about calls, and takes their answers on whatever replica they arrive. */
@ApplicationScoped
class Approvals {

  private static final Duration STORED_WITHIN = Duration.ofSeconds(10);
  private static final long LOOK_MS = 1000;

  private final ApprovalStore store;
  private final TurnStore turns;
  private final InboxNews inbox;
  private final TurnConfig config;
  private final Listener listener;
  private final ObjectMapper json;
  private final Map<UUID, Semaphore> waiting = new ConcurrentHashMap<>();

  Approvals(
      ApprovalStore store,
      TurnStore turns,
      InboxNews inbox,
      TurnConfig config,
      Listener listener,
      ObjectMapper json) {
    this.store = store;
    this.turns = turns;
    this.inbox = inbox;
    this.config = config;
    this.listener = listener;
    this.json = json;
  }

  void start(@Observes StartupEvent started) {
    listener.listen(
        "chat_approval",
        id -> wake(UUID.fromString(id)),
        () -> waiting.values().forEach(Semaphore::release));
  }

  private void wake(UUID id) {
    var waits = waiting.get(id);
    if (waits != null) {
      waits.release();
    }
  }

  /**
   * What came of a question.
   *
   * @param word {@code approve}, {@code reject}, {@code modify} or {@code expired}
   * @param args JSON; the arguments to be called with
   */
  record Answer(String word, String args, @Nullable String feedback) {

    boolean agreed() {
      return word.equals("approve") || word.equals("modify");
    }
  }

  /** Asks, and waits on the turn's own thread until somebody answers or the time is over. */
  Answer ask(LiveTurn turn, ApprovalStore.Question question) throws InterruptedException {
    var id = UUID.randomUUID();
    var signal = new Semaphore(0);
    waiting.put(id, signal);
    try {
      var opened = store.open(id, question, config.approvalTimeout()).await().atMost(STORED_WITHIN);
      if (opened == null) {
        throw new InterruptedException("the turn is over");
      }
      turns.paused(turn, true).await().atMost(STORED_WITHIN);
      inbox.opened(question.owner(), question.turn(), StoredApproval.wireId(id));
      say(turn, required(id, question, opened.expiresAt().toInstant()));
      var answer = await(id, question, signal);
      turns.paused(turn, false).await().atMost(STORED_WITHIN);
      inbox.closed(question.owner(), question.turn(), StoredApproval.wireId(id), answer.word());
      say(
          turn,
          JsonNodeFactory.instance
              .objectNode()
              .put("phase", "approval_resolved")
              .put("approvalId", StoredApproval.wireId(id))
              .put("id", question.callId())
              .put("decision", answer.word()));
      return answer;
    } catch (InterruptedException stopped) {
      giveUp(id, question);
      throw stopped;
    } finally {
      waiting.remove(id);
    }
  }

  private void giveUp(UUID id, ApprovalStore.Question question) {
    store.close(id, "cancelled").subscribe().with(done -> {}, failure -> {});
    inbox.closed(question.owner(), question.turn(), StoredApproval.wireId(id), "cancelled");
  }

  private static JsonNode required(UUID id, ApprovalStore.Question question, Instant expiresAt) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("phase", "approval_required")
        .put("approvalId", StoredApproval.wireId(id))
        .put("id", question.callId())
        .put("name", question.tool())
        .put("arguments", question.args())
        .put("effect", question.effect())
        .put("reason", question.reason())
        .put("expiresAt", Wire.time(expiresAt));
  }

  private static void say(LiveTurn turn, JsonNode data) throws InterruptedException {
    Wire.await(turn.tool((com.fasterxml.jackson.databind.node.ObjectNode) data));
  }

  private Answer await(UUID id, ApprovalStore.Question question, Semaphore signal)
      throws InterruptedException {
    while (true) {
      var known = store.find(question.owner(), id).await().atMost(STORED_WITHIN);
      if (known == null) {
        return new Answer("expired", question.args(), null);
      }
      var word = known.decision();
      if (word != null) {
        var patched = known.patchedArgs();
        return new Answer(word, patched == null ? question.args() : patched, known.feedback());
      }
      var left = Duration.between(Instant.now(), known.expiresAt()).toMillis();
      if (left <= -LOOK_MS) {
        store.close(id, "expired").await().atMost(STORED_WITHIN);
        continue;
      }
      // An answer is announced; a lost announcement is made up for by looking.
      if (signal.tryAcquire(Math.clamp(left + LOOK_MS + 1, 1, LOOK_MS), TimeUnit.MILLISECONDS)) {
        signal.drainPermits();
      }
    }
  }

  /**
   * How an answer was taken.
   *
   * @param alreadyResolved true when the same answer had been given before; absent otherwise
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Taken(
      boolean ok, boolean approved, String decision, @Nullable Boolean alreadyResolved) {}

  /** Takes an answer, once. */
  Uni<Taken> decide(String owner, String wireId, @Nullable JsonNode body) {
    var decision = Decision.read(body);
    var id = StoredApproval.read(wireId);
    return find(owner, wireId, id)
        .invoke(known -> check(known, decision))
        .chain(() -> store.decide(id, owner, decision))
        .chain(
            first ->
                first
                    ? Uni.createFrom().item(taken(decision.word(), null))
                    : find(owner, wireId, id).map(known -> again(known, decision)));
  }

  private Uni<StoredApproval> find(String owner, String wireId, UUID id) {
    return store.find(owner, id).map(found -> existing(found, wireId));
  }

  private static StoredApproval existing(@Nullable StoredApproval found, String wireId) {
    if (found == null) {
      throw TurnRefusals.approvalUnknown(wireId);
    }
    return found;
  }

  private void check(StoredApproval known, Decision decision) {
    var patched = decision.patchedArgs();
    if (patched != null && known.decision() == null) {
      SchemaCheck.check(read(known.schema()), patched);
    }
  }

  private JsonNode read(String text) {
    try {
      return json.readTree(text);
    } catch (JsonProcessingException damaged) {
      throw new IllegalStateException("a stored question is no JSON", damaged);
    }
  }

  private Taken again(StoredApproval known, Decision decision) {
    var patched = decision.patchedArgs();
    var before = known.patchedArgs();
    var same =
        decision.word().equals(known.decision())
            && (patched == null || (before != null && patched.equals(read(before))));
    if (!same) {
      throw TurnRefusals.approvalStale(known.wireId());
    }
    return taken(decision.word(), true);
  }

  private static Taken taken(String word, @Nullable Boolean again) {
    return new Taken(true, !word.equals("reject"), word, again);
  }

  /** A question as clients see it. */
  public record Pending(
      String approvalId,
      String streamId,
      String id,
      String name,
      @Nullable String effect,
      String arguments,
      String reason,
      Instant openedAt,
      Instant expiresAt) {

    static Pending of(StoredApproval known) {
      return new Pending(
          known.wireId(),
          known.turn().toString(),
          known.callId(),
          known.tool(),
          known.effect(),
          known.args(),
          known.reason(),
          known.openedAt(),
          known.expiresAt());
    }
  }

  /** What a turn waits for right now. */
  Uni<List<Pending>> pending(String owner, UUID turn) {
    return store.ofTurn(owner, turn).map(all -> all.stream().map(Pending::of).toList());
  }
}
