package io.fengyu.agent.guard;

import com.fasterxml.jackson.databind.JsonNode;
import io.fengyu.contract.identity.Caller;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Takes an owner's permission rules. */
@Path("/api/settings/permission-rules")
public class PermissionRulesResource {

  private final PermissionRules rules;
  private final Caller caller;

  PermissionRulesResource(PermissionRules rules, Caller caller) {
    this.rules = rules;
    this.caller = caller;
  }

  /**
   * Something odd about a saved rule.
   *
   * @param code {@code NEVER_MATCHES}, {@code SHADOWED_BY_DENY} or {@code UNKNOWN_TOOL}
   */
  public record Warning(String rule, String code, Map<String, String> params) {}

  /** Rules that hold from the next call on. */
  public record Saved(boolean ok, int rules, List<Warning> warnings) {}

  /** Replaces all rules of the caller; what an admin denies or asks about holds for everybody. */
  @PUT
  public Uni<Saved> save(@Nullable JsonNode body) {
    return rules.save(caller.owner(), caller.admin(), body).map(PermissionRulesResource::answer);
  }

  private static Saved answer(PermissionRules.Saved saved) {
    var warnings =
        saved.warnings().stream()
            .map(warning -> new Warning(warning.rule(), warning.code(), warning.params()))
            .toList();
    return new Saved(true, saved.rules(), warnings);
  }
}
