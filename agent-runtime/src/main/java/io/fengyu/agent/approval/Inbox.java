package io.fengyu.agent.approval;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quarkus.arc.All;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The open gates of all sources as one list, and decisions about them. */
@ApplicationScoped
class Inbox {

  private static final List<String> OF_A_DECISION =
      List.of("decision", "patched_args", "run_id", "tool_call_id", "tool_name", "generation");

  private final List<ApprovalSource> sources;

  Inbox(@All List<ApprovalSource> sources) {
    this.sources = sources;
  }

  /**
   * A part of the list.
   *
   * @param next cursor of the next part; null at the end
   */
  record Page(List<OpenGate> gates, @Nullable String next) {}

  /** Oldest first. Each source is asked for one more than the page holds. */
  Uni<Page> page(String owner, GateCursor after, int limit) {
    return each(source -> source.open(owner, after, limit + 1)).map(all -> page(all, limit));
  }

  private static Page page(List<OpenGate> all, int limit) {
    var sorted = all.stream().sorted(GateCursor.ORDER).toList();
    if (sorted.size() <= limit) {
      return new Page(sorted, null);
    }
    var page = sorted.subList(0, limit);
    return new Page(page, GateCursor.after(page.getLast()));
  }

  /** The gates of these runs, turns and tasks that are open right now, by their ids. */
  Uni<Map<String, OpenGate>> openAt(String owner, String source, List<String> subjects) {
    return each(each -> each.name().equals(source) ? each.openAt(owner, subjects) : none())
        .map(all -> all.stream().collect(Collectors.toMap(OpenGate::gateId, gate -> gate)));
  }

  private static Uni<List<OpenGate>> none() {
    return Uni.createFrom().item(List.of());
  }

  private interface Question {
    Uni<List<OpenGate>> ask(ApprovalSource source);
  }

  private Uni<List<OpenGate>> each(Question question) {
    return Uni.join()
        .all(sources.stream().map(question::ask).toList())
        .andFailFast()
        .map(Inbox::together);
  }

  private static List<OpenGate> together(List<List<OpenGate>> parts) {
    var all = new ArrayList<OpenGate>();
    parts.forEach(all::addAll);
    return all;
  }

  /** Takes a decision; one that does not say what it decides is refused, never an approval. */
  Uni<GateDecided> decide(String owner, String gateId, @Nullable JsonNode body) {
    if (!(body instanceof ObjectNode given) || !given.path("decision").isTextual()) {
      throw ApprovalProblems.decisionMissing();
    }
    var decision = JsonNodeFactory.instance.objectNode();
    OF_A_DECISION.stream().filter(given::has).forEach(name -> decision.set(name, given.get(name)));
    return sources.stream()
        .filter(source -> source.knows(gateId))
        .findFirst()
        .orElseThrow(() -> ApprovalProblems.notFound(gateId))
        .decide(owner, gateId, decision);
  }
}
