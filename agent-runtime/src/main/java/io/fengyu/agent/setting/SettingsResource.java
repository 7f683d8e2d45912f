package io.fengyu.agent.setting;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.identity.Caller;
import io.quarkus.arc.All;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Shows and changes what an owner, or an admin for everybody, has set. */
@Path("/api/settings")
public class SettingsResource {

  private final SettingsReader reader;
  private final SettingsWriter writer;
  private final List<SettingsPart> parts;
  private final ObjectMapper json;
  private final Caller caller;

  SettingsResource(
      SettingsReader reader,
      SettingsWriter writer,
      @All List<SettingsPart> parts,
      ObjectMapper json,
      Caller caller) {
    this.reader = reader;
    this.writer = writer;
    this.parts = parts;
    this.json = json;
    this.caller = caller;
  }

  /** All settings in force for the caller. */
  @GET
  public Uni<ObjectNode> show() {
    return reader.of(caller.owner()).map(this::document);
  }

  /** Changes the fields that are there; answers with all settings as they are afterwards. */
  @PUT
  public Uni<ObjectNode> change(@Nullable JsonNode body) {
    var change = SettingsChange.read(body);
    if (change.ofDeployment() && !caller.admin()) {
      throw SettingProblems.adminOnly();
    }
    var budget = change.budget();
    if (budget != null) {
      parts.forEach(part -> part.checkBudget(budget));
    }
    return writer.change(caller.owner(), change).chain(this::show);
  }

  private ObjectNode document(Settings settings) {
    var own = settings.own();
    var document = json.createObjectNode();
    document.put("memoryEnabled", own.memoryEnabled());
    document.put("computerUseEnabled", settings.deployment().computerUseEnabled());
    document.putNull("computerUse");
    document.put("unsandboxedPlugins", settings.deployment().unsandboxedPlugins());
    document.put("logLevel", settings.deployment().logLevel());
    document.put("theme", own.theme());
    document.put("language", own.language());
    document.set("budget", budget(own.budget()));
    parts.forEach(part -> part.show(settings, document));
    return document;
  }

  private @Nullable JsonNode budget(@Nullable String stored) {
    try {
      return stored == null ? null : json.readTree(stored);
    } catch (JsonProcessingException noJson) {
      throw new IllegalStateException("the stored budget is no JSON", noJson);
    }
  }
}
