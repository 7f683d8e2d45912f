package io.fengyu.scheduler.schedule;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.problem.Problem;
import io.fengyu.contract.problem.ProblemBody;
import io.fengyu.contract.problem.ProblemException;
import io.fengyu.contract.problem.ProblemTexts;
import io.fengyu.contract.sandbox.SandboxPosture;
import io.fengyu.scheduler.schedule.FireClaims.Abandoned;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.logging.Logger;

/**
 * Makes a task of everything that is due: the claim is committed first, then the workflow is asked
 * whether it can run, then the task is stored and the claim cleared. What stops in between is
 * written down as interrupted and not done again.
 */
@Singleton
class Firing {

  private static final Logger LOG = Logger.getLogger(Firing.class);
  private static final int AT_A_TIME = 6;
  private static final int SERVER_ERROR = 500;

  private final FireClaims claims;
  private final ScheduledWorkflows workflows;
  private final TaskDesk desk;
  private final SandboxPosture posture;
  private final FireMetrics metrics;
  private final Pool pool;
  private final ObjectMapper json;
  private final ProblemBody texts;
  private final Set<UUID> atWork = ConcurrentHashMap.newKeySet();

  Firing(
      FireClaims claims,
      ScheduledWorkflows workflows,
      TaskDesk desk,
      SandboxPosture posture,
      FireMetrics metrics,
      Pool pool,
      ObjectMapper json) {
    this.claims = claims;
    this.workflows = workflows;
    this.desk = desk;
    this.posture = posture;
    this.metrics = metrics;
    this.pool = pool;
    this.json = json;
    this.texts = new ProblemBody(new ProblemTexts(), json);
  }

  /**
   * Fires what is due.
   *
   * @return how many occurrences this process claimed
   */
  Uni<Integer> fireDue(Instant now) {
    return desk.open() ? fireWhatMay(now) : Uni.createFrom().item(0);
  }

  private Uni<Integer> fireWhatMay(Instant now) {
    return weakened()
        .chain(weakened -> weakened ? hold().chain(() -> due(false, now)) : due(true, now));
  }

  // Who cannot be asked might run plugins unsandboxed.
  private Uni<Boolean> weakened() {
    return posture.weakened("default");
  }

  private Uni<Void> hold() {
    var problem = ScheduleProblems.weakened();
    return claims.hold(problem.code(), text(problem));
  }

  private Uni<Integer> due(boolean sandboxedToo, Instant now) {
    return claims
        .due(sandboxedToo)
        .call(found -> claims.giveUp(unreadable(found, now)))
        .map(found -> found.stream().flatMap(one -> occurrence(one, now).stream()).toList())
        .chain(due -> due.isEmpty() ? Uni.createFrom().item(0) : claim(due));
  }

  // A row that nobody understands any more must not keep the others from firing.
  private static Optional<Occurrence> occurrence(Schedule schedule, Instant now) {
    try {
      return Optional.of(Occurrence.of(schedule, now));
    } catch (RuntimeException unreadable) {
      LOG.errorf(unreadable, "Schedule %s cannot be read and does not fire", schedule.id());
      return Optional.empty();
    }
  }

  private static List<UUID> unreadable(List<Schedule> found, Instant now) {
    return found.stream().filter(one -> occurrence(one, now).isEmpty()).map(Schedule::id).toList();
  }

  private Uni<Integer> claim(List<Occurrence> due) {
    var tasks = due.stream().map(Occurrence::taskId).toList();
    atWork.addAll(tasks);
    return claims
        .claim(due)
        .chain(this::fireAll)
        .onTermination()
        .invoke(() -> atWork.removeAll(tasks));
  }

  private Uni<Integer> fireAll(List<Occurrence> mine) {
    return Multi.createFrom()
        .iterable(mine)
        .onItem()
        .transformToUni(this::fire)
        .merge(AT_A_TIME)
        .collect()
        .asList()
        .map(List::size);
  }

  private Uni<Boolean> fire(Occurrence one) {
    return workflows
        .runnable(
            one.schedule().owner(),
            one.schedule().workflowId(),
            inputs(one.schedule()),
            one.schedule().permissionMode())
        .replaceWith(true)
        .onFailure(ProblemException.class)
        .recoverWithUni(refused -> refuse(one, refused.problem()))
        .chain(runnable -> runnable ? submit(one) : Uni.createFrom().item(false))
        .onFailure()
        .invoke(failed -> LOG.errorf(failed, "A fire of schedule %s failed", one.schedule().id()))
        .onFailure()
        .recoverWithItem(false);
  }

  private Uni<Boolean> submit(Occurrence one) {
    var claim = claims.mine(one);
    return pool.withTransaction(
            transaction ->
                claims
                    .stillMine(transaction, claim)
                    .chain(
                        mine ->
                            mine
                                ? desk.submit(one)
                                    .chain(() -> claims.submitted(transaction, claim, single(one)))
                                    .replaceWith(true)
                                : Uni.createFrom().item(false)))
        .invoke(submitted -> metrics.fired(one, submitted))
        .chain(submitted -> submitted ? Uni.createFrom().item(true) : refuse(one, ended()))
        .onFailure(Firing::nothingStored)
        .recoverWithUni(refused -> refuse(one, ((ProblemException) refused).problem()));
  }

  private static boolean nothingStored(Throwable failure) {
    return failure instanceof ProblemException known && known.problem().status() < SERVER_ERROR;
  }

  private static Problem ended() {
    return ScheduleProblems.ended();
  }

  private Uni<Boolean> refuse(Occurrence one, Problem problem) {
    metrics.refused();
    return claims
        .failed(claims.mine(one), single(one), "refused", problem.code(), text(problem))
        .replaceWith(false);
  }

  /** Settles claims that nobody goes on with: the task is stored, or will never be. */
  Uni<Void> recover() {
    return claims
        .abandoned(atWork)
        .onItem()
        .transformToMulti(Multi.createFrom()::iterable)
        .onItem()
        .transformToUniAndConcatenate(this::recover)
        .collect()
        .asList()
        .replaceWithVoid();
  }

  private Uni<Void> recover(Abandoned one) {
    return desk.knows(one.claim().taskId())
        .chain(stored -> stored ? claims.submitted(one.claim(), one.single()) : interrupt(one));
  }

  private Uni<Void> interrupt(Abandoned one) {
    LOG.warnf("A fire of schedule %s was interrupted", one.claim().scheduleId());
    metrics.interrupted();
    var problem = ScheduleProblems.interrupted();
    return claims.failed(one.claim(), one.single(), "interrupted", problem.code(), text(problem));
  }

  private static boolean single(Occurrence one) {
    return !one.schedule().timing().recurring();
  }

  private ObjectNode inputs(Schedule schedule) {
    try {
      return json.readValue(schedule.inputs(), ObjectNode.class);
    } catch (JsonProcessingException broken) {
      throw new IllegalStateException("stored inputs are no JSON", broken);
    }
  }

  private String text(Problem problem) {
    return texts.render(problem, null, null, null).path("detail").asText();
  }
}
