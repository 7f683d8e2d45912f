package io.fengyu.launcher;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/** Finds ports to listen on. */
final class Ports {

  private Ports() {}

  static boolean free(int port) {
    try (var socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException taken) {
      return false;
    }
  }

  /** The wanted port while it is free, else one chosen by the system. */
  static int freeOr(int wanted) {
    return wanted > 0 && free(wanted) ? wanted : any();
  }

  static int any() {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException none) {
      throw new LaunchException("No free port on 127.0.0.1: " + none.getMessage(), none);
    }
  }
}
