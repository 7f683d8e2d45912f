package io.fengyu.agent.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.approval.ApprovalProblems;
import io.fengyu.agent.approval.ApprovalSource;
import io.fengyu.agent.approval.GateCursor;
import io.fengyu.agent.approval.GateDecided;
import io.fengyu.agent.approval.OpenGate;
import io.fengyu.agent.journal.RunStore;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The gates of runs, as the inbox shows them and decides about them. */
@ApplicationScoped
class RunGates implements ApprovalSource {

  private static final String SOURCE = "run";
  private static final int LONGEST_TITLE = 200;
  private static final Pattern GATE =
      Pattern.compile("g-\\d{1,9}-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})");

  // A gate holds its plan or its arguments; long ones stay where they are, or a page of the list
  // would fill the memory.
  private static final String COLUMNS =
      """
      SELECT r.id, left(r.goal, 200) AS goal, r.gate_id, r.generation, r.gate_opened_at,
             r.unattended, r.status = 'AWAITING_PLAN_APPROVAL' AS at_plan,
             CASE WHEN octet_length(r.pending_gate) <= 65536 THEN r.pending_gate END AS gate
        FROM agent.run r
      """;

  // A range of run_open_gate, whatever else the owner has.
  private static final String OPEN =
      COLUMNS
          + """
             WHERE r.owner = $1 AND r.gate_id IS NOT NULL AND r.gate_opened_at >= $2
               AND (r.gate_opened_at > $2 OR r.id::text > $3)
             ORDER BY r.gate_opened_at, r.id
             LIMIT $4""";

  // Probes of the primary key.
  private static final String OPEN_AT =
      COLUMNS
          + """
             WHERE r.id = ANY ($2::uuid[]) AND r.owner = $1 AND r.gate_id IS NOT NULL""";

  private final Pool pool;
  private final RunStore store;
  private final Approvals approvals;
  private final UnattendedGates overdue;

  RunGates(Pool pool, RunStore store, Approvals approvals, UnattendedGates overdue) {
    this.overdue = overdue;
    this.pool = pool;
    this.store = store;
    this.approvals = approvals;
  }

  @Override
  public String name() {
    return SOURCE;
  }

  @Override
  public Uni<List<OpenGate>> open(String owner, GateCursor after, int limit) {
    var from = after.openedAt().atOffset(ZoneOffset.UTC);
    return pool.preparedQuery(OPEN)
        .execute(Tuple.of(owner, from, after.subject(), limit))
        .map(this::gates);
  }

  @Override
  public Uni<List<OpenGate>> openAt(String owner, List<String> subjects) {
    var runs = subjects.stream().map(UUID::fromString).toArray(UUID[]::new);
    return pool.preparedQuery(OPEN_AT)
        .execute(Tuple.tuple().addString(owner).addArrayOfUUID(runs))
        .map(this::gates);
  }

  private List<OpenGate> gates(RowSet<Row> rows) {
    var gates = new ArrayList<OpenGate>(rows.size());
    rows.forEach(row -> gates.add(gate(row)));
    return gates;
  }

  private OpenGate gate(Row row) {
    var stored = row.getString("gate");
    var gate = stored == null ? JsonNodeFactory.instance.objectNode() : Json.stored(stored);
    var atPlan = row.getBoolean("at_plan");
    var done = gate.path("alreadyDone");
    var opened = row.getOffsetDateTime("gate_opened_at").toInstant();
    boolean unattended = row.getBoolean("unattended");
    return new OpenGate(
        row.getString("gate_id"),
        atPlan ? "plan" : "step",
        unattended ? "task" : SOURCE,
        row.getUUID("id").toString(),
        null,
        atPlan ? row.getString("goal") : title(gate, row.getString("goal")),
        gate.path("toolName").textValue(),
        gate.path("effect").textValue(),
        gate.get("args"),
        stored == null && !atPlan,
        done.isArray() ? done : JsonNodeFactory.instance.arrayNode(),
        gate.path("reason").textValue(),
        gate.path("tool_call_id").textValue(),
        row.getInteger("generation"),
        opened,
        unattended ? opened.plus(overdue.limit()) : null);
  }

  private static String title(JsonNode gate, String goal) {
    var words = gate.path("description").asText("");
    var title = words.isBlank() ? gate.path("toolName").asText(goal) : words;
    return title.length() > LONGEST_TITLE ? title.substring(0, LONGEST_TITLE) : title;
  }

  @Override
  public boolean knows(String gateId) {
    return GATE.matcher(gateId).matches();
  }

  @Override
  public Uni<GateDecided> decide(String owner, String gateId, ObjectNode decision) {
    var runId = run(gateId);
    return store
        .find(owner, runId)
        .onItem()
        .ifNull()
        .failWith(() -> ApprovalProblems.notFound(gateId))
        .chain(run -> approvals.resolve(owner, runId, decision.put("gateId", gateId)))
        .map(done -> decided(gateId, done));
  }

  private static UUID run(String gateId) {
    var parts = GATE.matcher(gateId);
    if (!parts.matches()) {
      throw ApprovalProblems.notFound(gateId);
    }
    return UUID.fromString(parts.group(1));
  }

  private static GateDecided decided(String gateId, Approvals.Resolved done) {
    @Nullable Boolean already = done.already() ? true : null;
    return new GateDecided(
        true, already, gateId, done.runId().toString(), done.status().name(), done.generation());
  }
}
