package io.fengyu.agent.mcp;

import io.fengyu.testing.node.NodeFolder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;

/** Servers of the protocol's own people, started and ended. */
final class NodePrograms implements AutoCloseable {

  private final NodeFolder folder;
  private final List<Process> started = new ArrayList<>();

  NodePrograms(NodeFolder folder) {
    this.folder = folder;
  }

  /** The script of an installed server. */
  String script(String name) {
    return folder
        .path("node_modules/@modelcontextprotocol")
        .resolve(name)
        .resolve("dist/index.js")
        .toString();
  }

  /** Starts the server that has everything, on a port of its own. */
  int everything(String transport) throws Exception {
    int port = freePort();
    var builder =
        new ProcessBuilder("node", script("server-everything"), transport)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD);
    builder.environment().put("PORT", Integer.toString(port));
    started.add(builder.start());
    Awaitility.await().atMost(java.time.Duration.ofSeconds(60)).until(() -> listens(port));
    return port;
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private static boolean listens(int port) {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException notYet) {
      return false;
    }
  }

  @Override
  public void close() {
    started.forEach(Process::destroyForcibly);
  }
}
