package io.fengyu.chat.turn;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fengyu.contract.identity.Caller;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jboss.resteasy.reactive.RestQuery;
import org.jspecify.annotations.Nullable;

/** Shows the inbox which questions of turns are open. */
@Path("/internal/approvals")
public class InternalApprovalsResource {

  // The inbox leaves long arguments where they are.
  private static final int LONGEST_ARGS = 65_536;

  private final ApprovalStore store;
  private final Caller caller;
  private final ObjectMapper json;

  InternalApprovalsResource(ApprovalStore store, Caller caller, ObjectMapper json) {
    this.store = store;
    this.caller = caller;
    this.json = json;
  }

  /** An open question; its opening to the microsecond, since the list is read by it. */
  public record Open(
      String gateId,
      String streamId,
      String tool,
      @Nullable String effect,
      @Nullable JsonNode args,
      boolean argsOmitted,
      List<String> alreadyDone,
      String reason,
      String callId,
      String openedAt,
      String expiresAt) {}

  /** Either those of some turns, or a part of all of them, oldest first. */
  @GET
  public Uni<List<Open>> open(
      @RestQuery @Nullable String turns,
      @RestQuery @DefaultValue("1970-01-01T00:00:00Z") String after,
      @RestQuery @DefaultValue("") String subject,
      @RestQuery @DefaultValue("100") int limit) {
    var found =
        turns == null
            ? store.open(
                caller.owner(), Instant.parse(after).atOffset(ZoneOffset.UTC), subject, limit)
            : store.openAt(
                caller.owner(), Arrays.stream(turns.split(",", -1)).map(UUID::fromString).toList());
    return found.map(all -> all.stream().map(this::shown).toList());
  }

  private Open shown(StoredApproval known) {
    var tooLong = known.args().length() > LONGEST_ARGS;
    return new Open(
        known.wireId(),
        known.turn().toString(),
        known.tool(),
        known.effect(),
        tooLong ? null : read(known.args()),
        tooLong,
        List.of(),
        known.reason(),
        known.callId(),
        known.openedAt().toString(),
        known.expiresAt().toString());
  }

  // What a model wrote may be no JSON at all.
  private JsonNode read(String args) {
    try {
      return json.readTree(args);
    } catch (JsonProcessingException text) {
      return json.getNodeFactory().textNode(args);
    }
  }
}
