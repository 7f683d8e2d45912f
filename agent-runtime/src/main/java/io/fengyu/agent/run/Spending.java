package io.fengyu.agent.run;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.history.Usage;
import io.fengyu.agent.model.ModelSpent;
import io.fengyu.contract.json.CanonicalJson;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What a run has used, against its budget; goes on where the stage before the last gate stood. A
 * limit counts as exceeded when something is about to start that would go beyond it: a run that has
 * used exactly its budget, and is done, completes.
 */
final class Spending {

  private final Budget budget;
  private final long begun = System.nanoTime();
  private final long workedBefore;
  private final ReentrantLock lock = new ReentrantLock();
  // Guarded by the lock.
  private final Map<String, Integer> calls;
  private long promptTokens;
  private long completionTokens;
  private long modelCalls;
  private long toolCalls;
  private boolean estimated;
  private @Nullable Exceeded exceeded;

  /**
   * @param before what the run had used when it paused
   */
  Spending(Budget budget, Usage before) {
    this.budget = budget;
    this.calls = new HashMap<>(before.calls());
    this.promptTokens = before.promptTokens();
    this.completionTokens = before.completionTokens();
    this.modelCalls = before.modelCalls();
    this.toolCalls = before.toolCalls();
    this.estimated = before.estimated();
    this.workedBefore = before.wallTimeMs();
  }

  /** Without limits, from nothing. */
  static Spending free() {
    return new Spending(Budget.UNLIMITED, Usage.NONE);
  }

  /**
   * A limit that would have been passed.
   *
   * @param budget its name
   */
  record Exceeded(String budget, long limit, long used) {}

  /** The first limit that was met; null while none was. */
  @Nullable Exceeded exceeded() {
    lock.lock();
    try {
      return exceeded;
    } finally {
      lock.unlock();
    }
  }

  /** True when something new may start, as far as tokens and time go. */
  boolean mayStart() {
    lock.lock();
    try {
      meet("maxTokens", budget.maxTokens(), promptTokens + completionTokens);
      meet("maxWallTimeMs", budget.maxWallTimeMs(), workedMs());
      return exceeded == null;
    } finally {
      lock.unlock();
    }
  }

  private long workedMs() {
    return workedBefore + (System.nanoTime() - begun) / 1_000_000;
  }

  /** True when a tool may be called once more. */
  boolean mayCall() {
    lock.lock();
    try {
      meet("maxToolCalls", budget.maxToolCalls(), toolCalls);
      return exceeded == null;
    } finally {
      lock.unlock();
    }
  }

  /** Counts a call that is about to be made; false when it must not be. */
  boolean call(String tool, ObjectNode args) {
    lock.lock();
    try {
      if (!mayCall() || !mayRepeat(tool, args)) {
        return false;
      }
      toolCalls++;
      return true;
    } finally {
      lock.unlock();
    }
  }

  private boolean mayRepeat(String tool, ObjectNode args) {
    var limit = budget.maxIdenticalCalls();
    if (limit == null) {
      return true;
    }
    var call = tool + " " + CanonicalJson.sha256(args);
    meet("maxIdenticalCalls", limit, calls.getOrDefault(call, 0));
    if (exceeded != null) {
      return false;
    }
    calls.merge(call, 1, Integer::sum);
    return true;
  }

  /** Counts a request to a model. */
  void asked(ModelSpent spent) {
    lock.lock();
    try {
      modelCalls++;
      promptTokens += spent.promptTokens();
      completionTokens += spent.completionTokens();
      estimated |= spent.estimated();
    } finally {
      lock.unlock();
    }
  }

  private void meet(String name, @Nullable Long limit, long used) {
    if (exceeded == null && limit != null && used >= limit) {
      exceeded = new Exceeded(name, limit, used);
    }
  }

  /** What the journal keeps of it; null when the steps themselves tell everything. */
  @Nullable ObjectNode note() {
    lock.lock();
    try {
      if (modelCalls == 0 && budget.equals(Budget.UNLIMITED)) {
        return null;
      }
      var note = JsonNodeFactory.instance.objectNode();
      note.put("promptTokens", promptTokens).put("completionTokens", completionTokens);
      note.put("modelCalls", modelCalls).put("toolCalls", toolCalls).put("estimated", estimated);
      if (!calls.isEmpty()) {
        var made = note.putObject("calls");
        calls.forEach(made::put);
      }
      return note;
    } finally {
      lock.unlock();
    }
  }
}
