package io.fengyu.launcher;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** The two requests a launcher makes, small enough for its small heap. */
final class Http {

  private static final int TIMEOUT_MS = 3_000;

  private Http() {}

  /** The status of a GET; 0 while nothing answers. */
  static int get(int port, String path) {
    return send(port, "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  }

  /** The status of a PUT with the internal secret; 0 when nothing answers. */
  static int put(int port, String path, String secret, String json) {
    var length = json.getBytes(StandardCharsets.UTF_8).length;
    return send(
        port,
        "PUT "
            + path
            + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-Internal-Secret: "
            + secret
            + "\r\nContent-Type: application/json\r\nContent-Length: "
            + length
            + "\r\n\r\n"
            + json);
  }

  private static int send(int port, String request) {
    try (var socket = new Socket()) {
      socket.setSoTimeout(TIMEOUT_MS);
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MS);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
      var head = new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
      return head.matches("HTTP/1\\.1 [0-9]{3}") ? Integer.parseInt(head.substring(9)) : 0;
    } catch (IOException notThere) {
      return 0;
    }
  }
}
