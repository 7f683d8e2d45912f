package io.fengyu.scheduler.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.time.Clock;
import org.jspecify.annotations.Nullable;

/** Shows when a schedule would fire, before it is made. Stores nothing. */
@Path("/api/agent/schedules/preview")
@Consumes(MediaType.APPLICATION_JSON)
@Produces(MediaType.APPLICATION_JSON)
public class PreviewResource {

  private final TimingReader reader;
  private final Clock clock;

  PreviewResource(TimingReader reader, Clock clock) {
    this.reader = reader;
    this.clock = clock;
  }

  /** The next due times after {@code after}, or after now: {@code count} of them, at most 24. */
  @POST
  public Preview preview(@Nullable JsonNode body) {
    var asked = body == null ? MissingNode.getInstance() : body;
    return Preview.of(asked, reader, clock.instant());
  }
}
