package io.fengyu.agent.tool.web;

import io.fengyu.contract.outbound.TargetPolicy.TargetRefusedException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;

/** Tells which addresses of a host may be connected to, or that it must not be called. */
@FunctionalInterface
public interface Targets {

  /** Looks the host up once; what it answers is what is connected to. */
  List<InetSocketAddress> of(URI url, boolean privateAllowed)
      throws TargetRefusedException, InterruptedException;
}
