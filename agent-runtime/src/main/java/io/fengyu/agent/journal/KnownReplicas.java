package io.fengyu.agent.journal;

import io.fengyu.contract.instance.Instances;
import jakarta.enterprise.context.ApplicationScoped;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Siblings as the registry of instances has them. */
@ApplicationScoped
class KnownReplicas implements Replicas {

  private final Instances instances;
  private final int port;

  KnownReplicas(Instances instances, @ConfigProperty(name = "quarkus.http.port") int port) {
    this.instances = instances;
    this.port = port;
  }

  @Override
  public boolean others() {
    return instances.liveReplicas() > 1;
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
}
