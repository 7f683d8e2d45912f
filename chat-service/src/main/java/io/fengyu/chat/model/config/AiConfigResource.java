package io.fengyu.chat.model.config;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.identity.Caller;
import io.smallrye.mutiny.Uni;
import jakarta.validation.constraints.NotNull;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import java.util.List;
import org.jboss.resteasy.reactive.RestPath;

/** Lets an owner choose, try and list models. */
@Path("/api/ai")
public class AiConfigResource {

  private final AiConfigs configs;
  private final ModelCatalog catalog;
  private final ConnectionTest connection;
  private final Caller caller;

  AiConfigResource(
      AiConfigs configs, ModelCatalog catalog, ConnectionTest connection, Caller caller) {
    this.configs = configs;
    this.catalog = catalog;
    this.connection = connection;
    this.caller = caller;
  }

  @GET
  @Path("/config")
  public Uni<ConfigView> read() {
    return configs.settings(caller.owner()).map(this::view);
  }

  @PUT
  @Path("/config")
  public Uni<ConfigView> change(@NotNull ObjectNode body) {
    return configs.change(caller.owner(), body).map(this::view);
  }

  @POST
  @Path("/config/test")
  public Uni<ConnectionTest.Outcome> test(@NotNull ObjectNode body) {
    return connection.run(caller.owner(), body);
  }

  @GET
  @Path("/models")
  public Uni<List<ModelEntry>> models() {
    return configs.models(caller.owner());
  }

  @PUT
  @Path("/models/{id}")
  public Uni<ModelEntry> store(@RestPath String id, @NotNull ObjectNode body) {
    return configs.putModel(caller.owner(), id, body);
  }

  @DELETE
  @Path("/models/{id}")
  public Uni<Void> delete(@RestPath String id) {
    return configs.deleteModel(caller.owner(), id);
  }

  private ConfigView view(AiSettings settings) {
    return ConfigView.of(settings, catalog.ready(settings));
  }
}
