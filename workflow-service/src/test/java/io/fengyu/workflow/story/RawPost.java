package io.fengyu.workflow.story;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.eclipse.microprofile.config.ConfigProvider;

/** A client that sends its whole body whatever the server says meanwhile, and then listens. */
final class RawPost {

  private static final int CHUNK = 64 * 1024;

  private RawPost() {}

  /** Status line, headers and the beginning of the body. */
  static String answer(String path, String body, boolean chunked) throws IOException {
    int port = ConfigProvider.getConfig().getValue("quarkus.http.test-port", Integer.class);
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(10_000);
      var bytes = body.getBytes(StandardCharsets.UTF_8);
      var out = socket.getOutputStream();
      out.write(head(path, chunked ? -1 : bytes.length).getBytes(StandardCharsets.US_ASCII));
      send(out, bytes, chunked);
      return read(socket.getInputStream());
    }
  }

  private static String head(String path, int length) {
    return "POST "
        + path
        + " HTTP/1.1\r\nHost: localhost\r\nX-FengYu-Token: tok-alice\r\n"
        + "Content-Type: application/json\r\n"
        + (length < 0 ? "Transfer-Encoding: chunked" : "Content-Length: " + length)
        + "\r\n\r\n";
  }

  private static void send(OutputStream out, byte[] bytes, boolean chunked) throws IOException {
    for (int at = 0; at < bytes.length; at += CHUNK) {
      int length = Math.min(CHUNK, bytes.length - at);
      if (chunked) {
        out.write((Integer.toHexString(length) + "\r\n").getBytes(StandardCharsets.US_ASCII));
      }
      out.write(bytes, at, length);
      if (chunked) {
        out.write("\r\n".getBytes(StandardCharsets.US_ASCII));
      }
    }
    if (chunked) {
      out.write("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    }
    out.flush();
  }

  private static String read(InputStream in) throws IOException {
    var answer = new StringBuilder();
    var buffer = new byte[8192];
    for (int n = in.read(buffer); n > 0; n = in.read(buffer)) {
      answer.append(new String(buffer, 0, n, StandardCharsets.UTF_8));
      if (answer.indexOf("}") > 0) {
        break;
      }
    }
    return answer.toString();
  }
}
