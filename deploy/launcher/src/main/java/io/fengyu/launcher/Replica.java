package io.fengyu.launcher;

import java.nio.file.Path;

/** One process of a service on a port of its own. */
final class Replica implements Child.Plan {

  private final Service service;
  private final int number;
  private final Surroundings surroundings;
  private final int wantedPort;
  private volatile int port;

  Replica(Service service, int number, int wantedPort, Surroundings surroundings) {
    this.service = service;
    this.number = number;
    this.wantedPort = wantedPort;
    this.surroundings = surroundings;
    this.port = Ports.freeOr(wantedPort);
  }

  Service service() {
    return service;
  }

  /** 1 for the first. */
  int number() {
    return number;
  }

  String name() {
    return number == 1 ? service.module() : service.module() + "-" + number;
  }

  int port() {
    return port;
  }

  int wantedPort() {
    return wantedPort;
  }

  String address() {
    return "http://127.0.0.1:" + port;
  }

  @Override
  public ProcessBuilder next() {
    port = Ports.freeOr(port);
    return surroundings.process(service, number, port);
  }

  @Override
  public boolean ready() {
    return Http.get(port, "/q/health/ready") == 200;
  }

  Path log(DataDirectory directory) {
    return directory.freshLog(name());
  }
}
