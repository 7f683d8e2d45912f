package io.fengyu.agent.journal;

import io.quarkus.arc.DefaultBean;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Clock;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Siblings as the registry of instances has them. */
@ApplicationScoped
class KnownReplicas implements Replicas {

  private final int port;

  KnownReplicas(@ConfigProperty(name = "quarkus.http.port") int port) {
    this.port = port;
  }

  @Override
  public boolean others() {
    return true;
  }

  @Override
  public String address() {
    return host() + ":" + port;
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException nameless) {
      return InetAddress.getLoopbackAddress().getHostAddress();
    }
  }

  @Produces
  @ApplicationScoped
  @DefaultBean
  static Clock clock() {
    return Clock.systemUTC();
  }
}
