package io.fengyu.contract.metrics;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.SortedSet;
import org.jboss.resteasy.reactive.RestQuery;

/** Reads metrics by name; without a token from this machine only. */
@Path("/actuator/metrics")
@Produces(MediaType.APPLICATION_JSON)
public class MetricsResource {

  private final Meters meters;

  MetricsResource(Meters meters) {
    this.meters = meters;
  }

  /** Every name there is. */
  public record Names(SortedSet<String> names) {}

  /** Lists the names. */
  @GET
  public Names names() {
    return new Names(meters.names());
  }

  /** One metric; {@code tag=key:value} narrows it down. */
  @GET
  @Path("/{name}")
  public Meters.Reading read(String name, @RestQuery List<String> tag) {
    return meters.read(name, tag);
  }
}
