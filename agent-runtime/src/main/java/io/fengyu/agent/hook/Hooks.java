package io.fengyu.agent.hook;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.guard.HookGate;
import io.fengyu.agent.guard.Subject;
import io.fengyu.agent.guard.Verdict;
import io.fengyu.agent.guard.Verdict.Decision;
import io.fengyu.agent.guard.Verdict.Stage;
import io.fengyu.agent.tool.Sensitive;
import io.fengyu.agent.tool.ToolSpec;
import io.quarkus.arc.All;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Runs the hooks of owners, one after another. A hook that breaks, or takes too long, has said
 * nothing: that is logged, and the work goes on.
 */
@ApplicationScoped
class Hooks implements HookGate {

  private static final Logger LOG = Logger.getLogger(Hooks.class);

  private final List<HookSource> sources;
  private final CommandHooks commands;
  private final HttpHooks posts;
  private final Observers observers;
  private final Clock clock;

  Hooks(
      @All List<HookSource> sources,
      CommandHooks commands,
      HttpHooks posts,
      Observers observers,
      Clock clock) {
    this.sources = sources.stream().sorted(Comparator.comparingInt(HookSource::rank)).toList();
    this.commands = commands;
    this.posts = posts;
    this.observers = observers;
    this.clock = clock;
  }

  @Override
  public @Nullable Verdict before(Subject subject, ToolSpec tool, ObjectNode args) {
    var hooks = of(subject.owner(), HookEvent.PRE_TOOL_USE, tool.name());
    if (hooks.isEmpty()) {
      return null;
    }
    var envelope =
        new Envelope(
            HookEvent.PRE_TOOL_USE,
            tool.name(),
            Sensitive.masked(args, tool.inputSchema()),
            null,
            subject.runId(),
            clock.instant());
    for (var hook : hooks) {
      try {
        if (run(hook, envelope) instanceof Outcome.Denied(var reason)) {
          return denied(hook, reason);
        }
      } catch (InterruptedException stopped) {
        return denied(hook, "the work was stopped while it ran");
      }
    }
    return null;
  }

  private static Verdict denied(Hook hook, @Nullable String reason) {
    var who = "hook " + hook.name();
    return Verdict.of(
        Decision.DENY, Stage.HOOK, hook.name(), reason == null ? who : who + ": " + reason);
  }

  @Override
  public void after(
      Subject subject, ToolSpec tool, ObjectNode args, boolean success, String result) {
    var event = success ? HookEvent.POST_TOOL_USE : HookEvent.POST_TOOL_USE_FAILURE;
    var hooks = of(subject.owner(), event, tool.name());
    if (hooks.isEmpty()) {
      return;
    }
    var shown = Sensitive.masked(args, tool.inputSchema()).deepCopy();
    var envelope =
        new Envelope(event, tool.name(), shown, result, subject.runId(), clock.instant());
    observe(hooks, envelope);
  }

  @Override
  public void runEnded(String owner, UUID runId, String goal, boolean completed, String result) {
    var event = completed ? HookEvent.RUN_COMPLETE : HookEvent.RUN_ERROR;
    var hooks = of(owner, event, null);
    if (!hooks.isEmpty()) {
      observe(hooks, Envelope.ofRun(event, runId, goal, result, clock));
    }
  }

  @Override
  public List<String> names(String owner, Collection<String> tools) {
    return all(owner).stream()
        .filter(hook -> !hook.event().ofRun())
        .filter(hook -> tools.stream().anyMatch(tool -> hook.concerns(hook.event(), tool)))
        .map(Hook::name)
        .distinct()
        .toList();
  }

  private List<Hook> of(String owner, HookEvent event, @Nullable String tool) {
    var all = all(owner);
    return all.isEmpty() ? all : all.stream().filter(hook -> hook.concerns(event, tool)).toList();
  }

  // Hooks that can't be read have said nothing, like any other that breaks.
  private List<Hook> all(String owner) {
    try {
      return sources.size() == 1
          ? sources.getFirst().of(owner)
          : sources.stream().flatMap(source -> source.of(owner).stream()).toList();
    } catch (RuntimeException unreadable) {
      LOG.warnf(unreadable, "The hooks of %s can't be read", owner);
      return List.of();
    }
  }

  private void observe(List<Hook> hooks, Envelope envelope) {
    var run = envelope.runId();
    observers.then(
        run == null ? UUID.randomUUID() : run, () -> hooks.forEach(hook -> tell(hook, envelope)));
  }

  private void tell(Hook hook, Envelope envelope) {
    try {
      run(hook, envelope);
    } catch (InterruptedException stopped) {
      LOG.debugf("Hook %s was stopped", hook.name());
    }
  }

  private Outcome run(Hook hook, Envelope envelope) throws InterruptedException {
    var outcome =
        switch (hook.action()) {
          case Hook.Action.Command command -> commands.run(hook, command, envelope);
          case Hook.Action.Http http -> posts.run(hook, http, envelope);
        };
    if (outcome instanceof Outcome.Failed(var why)) {
      LOG.warnf("Hook %s failed and is passed over: %s", hook.name(), why);
    }
    return outcome;
  }
}
