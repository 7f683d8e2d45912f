package io.fengyu.agent.plugin.market;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.plugin.PluginProblems;
import io.fengyu.contract.identity.Caller;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.MediaType;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jboss.resteasy.reactive.ResponseStatus;
import org.jboss.resteasy.reactive.RestForm;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.multipart.FileUpload;
import org.jspecify.annotations.Nullable;

/** Shows which packages are installed; lets admins install, switch and remove them. */
@Path("/api/plugin-market")
public class MarketResource {

  private final Market market;
  private final Caller caller;

  MarketResource(Market market, Caller caller) {
    this.market = market;
    this.caller = caller;
  }

  /**
   * One installed package.
   *
   * @param tools names in the catalog, as far as no other tool has them
   * @param hookCount hooks it brings, trusted or not
   * @param digest SHA-256 of the package
   * @param size bytes of the package
   */
  public record Entry(
      String id,
      String name,
      String version,
      @Nullable String description,
      @Nullable String author,
      Set<String> permissions,
      boolean enabled,
      List<String> tools,
      int hookCount,
      boolean hooksTrusted,
      String digest,
      long size,
      Instant installedAt,
      Instant updatedAt) {

    static Entry of(Installed plugin) {
      var manifest = plugin.manifest();
      return new Entry(
          plugin.id(),
          manifest.name(),
          manifest.version(),
          manifest.document().path("description").textValue(),
          manifest.document().path("author").textValue(),
          manifest.permissions(),
          plugin.enabled(),
          manifest.tools().stream().map(tool -> tool.name()).toList(),
          plugin.hooks().all().size(),
          plugin.trusted(),
          plugin.digest(),
          plugin.size(),
          plugin.installedAt(),
          plugin.updatedAt());
    }
  }

  @GET
  public Uni<List<Entry>> list() {
    return market.all().map(all -> all.stream().map(Entry::of).toList());
  }

  /** Installs a package, or puts it in the place of another version; answers with its manifest. */
  @POST
  @Path("/upload")
  @Consumes(MediaType.MULTIPART_FORM_DATA)
  @ResponseStatus(201)
  public Uni<ObjectNode> upload(@RestForm("file") @Nullable FileUpload file) {
    onlyAdmins();
    if (file == null) {
      throw PluginProblems.packageInvalid("", "the part \"file\" is missing");
    }
    return market.install(file.uploadedFile()).map(plugin -> plugin.manifest().document());
  }

  /** Takes effect at once: processes of a package that is switched off have ended. */
  @PATCH
  @Path("/{id}/enabled")
  public Uni<Entry> enable(@RestPath String id, @Nullable JsonNode body) {
    onlyAdmins();
    var enabled = body == null ? null : body.get("enabled");
    if (enabled == null || !enabled.isBoolean()) {
      throw PluginProblems.bodyInvalid("enabled", "true or false");
    }
    return market.enable(id, enabled.booleanValue()).map(Entry::of);
  }

  /** Ends its processes, its tools and the trust in its hooks; what it keeps stays on the disk. */
  @DELETE
  @Path("/{id}")
  public Uni<Void> uninstall(@RestPath String id) {
    onlyAdmins();
    return market.uninstall(id);
  }

  private void onlyAdmins() {
    if (!caller.admin()) {
      throw PluginProblems.adminOnly();
    }
  }
}
