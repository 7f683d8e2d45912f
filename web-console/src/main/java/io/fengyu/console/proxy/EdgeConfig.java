package io.fengyu.console.proxy;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Where the services are, and how patient the edge is with them. */
@ConfigMapping(prefix = "edge")
interface EdgeConfig {

  /** Base addresses of chat-service; several stand for several replicas, here and below. */
  List<String> chat();

  /** Base addresses of agent-runtime. */
  List<String> agent();

  /** Base addresses of workflow-service. */
  List<String> workflow();

  /** Base addresses of task-scheduler. */
  List<String> scheduler();

  /** Base addresses of webhook-gateway. */
  List<String> webhook();

  /** Addresses (CIDR) of proxies in front of the edge whose forwarded headers are believed. */
  Optional<List<String>> trustedProxies();

  /** Lets the launcher announce replicas at run time; without it nobody can. */
  Optional<String> internalSecret();

  /** The other secret that is valid while the internal secret is being changed. */
  Optional<String> previousInternalSecret();

  /** The interface listened on; a loopback one answers to local host names only. */
  String host();

  /** Further host names the edge answers to while bound to loopback. */
  Optional<List<String>> allowedHosts();

  /** Origins whose pages may call, comma-separated. */
  Optional<String> corsOrigins();

  /** One more port for health alone. */
  OptionalInt managementPort();

  /** Whether services are called by TLS, with certificates that the internal secret seals. */
  @WithDefault("false")
  boolean internalTls();

  /** A replica that takes longer to accept a connection counts as down for this request. */
  @WithDefault("1s")
  Duration connectTimeout();

  /**
   * An exchange that is no event stream ends after this long without a byte in either direction.
   */
  @WithDefault("5m")
  Duration idleTimeout();

  /** After this long without an answer a replica is asked whether it is alive; and again. */
  @WithDefault("2s")
  Duration patience();

  /** A replica that leaves that question open for so long is passed over until it answers. */
  @WithDefault("3s")
  Duration healthTimeout();

  /** Connections to one replica, event streams included; past it requests wait. */
  @WithDefault("4096")
  int connectionsPerReplica();

  /** Requests that wait for a connection; past it the answer is 503. */
  @WithDefault("1024")
  int waitingPerReplica();

  /** Open event streams end this long after the order to stop. */
  Duration shutdownDelay();
}
