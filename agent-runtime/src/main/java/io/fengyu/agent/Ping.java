package io.fengyu.agent;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

/** Answers. */
@Path("/api/ping")
public class Ping {

  /** Pong. */
  @GET
  public String ping() {
    return "pong";
  }
}
