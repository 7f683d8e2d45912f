package io.fengyu.contract.client;

import io.smallrye.config.ConfigMapping;
import java.util.List;

/** Where the services are; several addresses of one service are its replicas. */
@ConfigMapping(prefix = "fengyu.peers")
interface PeersConfig {

  List<String> chat();

  List<String> agent();

  List<String> workflow();

  List<String> scheduler();

  List<String> webhook();
}
