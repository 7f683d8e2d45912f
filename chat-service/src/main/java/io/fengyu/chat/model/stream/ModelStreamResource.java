package io.fengyu.chat.model.stream;

import io.fengyu.contract.identity.Caller;
import io.fengyu.contract.model.ModelEvent;
import io.fengyu.contract.model.ModelStreamRequest;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.validation.constraints.NotNull;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.RestStreamElementType;
import org.jboss.resteasy.reactive.common.util.RestMediaType;
import org.jspecify.annotations.Nullable;

/** Streams a model's answer to another service, one JSON event a line. */
@Path("/internal/model")
public class ModelStreamResource {

  private final ModelStreams streams;
  private final Caller caller;

  ModelStreamResource(ModelStreams streams, Caller caller) {
    this.streams = streams;
    this.caller = caller;
  }

  /** Refuses with the problem that a stream opened now would be refused with; asks no provider. */
  @GET
  @Path("/ready")
  public Uni<Void> ready(@RestQuery @Nullable String model) {
    return streams.ready(caller.owner(), model);
  }

  /** What is refused before the first line is a problem; later it is the last event. */
  @POST
  @Path("/stream")
  @Produces(RestMediaType.APPLICATION_NDJSON)
  @RestStreamElementType(MediaType.APPLICATION_JSON)
  public Multi<ModelEvent> stream(@NotNull ModelStreamRequest body) {
    return streams.open(caller.owner(), body);
  }
}
