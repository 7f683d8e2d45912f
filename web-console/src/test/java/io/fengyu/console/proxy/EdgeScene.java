package io.fengyu.console.proxy;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.common.http.TestHTTPResource;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import jakarta.inject.Inject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import javax.management.JMException;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;

/** The edge with scripted services behind it. */
abstract class EdgeScene {

  static final String SECRET = "test-internal-secret-0123456789abcdef";

  @Inject
  @SuppressWarnings("NullAway.Init")
  Vertx vertx;

  @Inject
  @SuppressWarnings("NullAway.Init")
  EdgeManagement management;

  @TestHTTPResource
  @SuppressWarnings("NullAway.Init")
  URI edge;

  final List<ScriptedService> open = new ArrayList<>();

  @AfterEach
  void closeAll() {
    open.forEach(ScriptedService::close);
  }

  static String address(ServerSocket socket) {
    return "http://127.0.0.1:" + socket.getLocalPort();
  }

  /** How many objects of a class are reachable, counted by the virtual machine. */
  static long alive(Class<?> type) throws JMException {
    var commands = new ObjectName("com.sun.management:type=DiagnosticCommand");
    Object[] none = {new String[0]};
    var histogram =
        (String)
            ManagementFactory.getPlatformMBeanServer()
                .invoke(
                    commands, "gcClassHistogram", none, new String[] {String[].class.getName()});
    return histogram
        .lines()
        .map(line -> line.strip().split("\\s+"))
        .filter(row -> row.length > 3 && row[3].equals(type.getName()))
        .mapToLong(row -> Long.parseLong(row[1]))
        .sum();
  }

  ScriptedService service(Handler<HttpServerRequest> script) throws Exception {
    var service = new ScriptedService(vertx, script);
    open.add(service);
    return service;
  }

  static void peers(Owner owner, String... addresses) {
    var list = Arrays.stream(addresses).collect(Collectors.joining("\",\"", "[\"", "\"]"));
    given()
        .header("X-Internal-Secret", SECRET)
        .body("{\"" + owner.key() + "\":" + list + "}")
        .put("/internal/peers")
        .then()
        .statusCode(204);
  }

  Socket connect() throws IOException {
    var socket = new Socket(InetAddress.getLoopbackAddress(), edge.getPort());
    socket.setSoTimeout(20_000);
    return socket;
  }

  String raw(String request) throws IOException {
    try (var socket = connect()) {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  static String answer(Socket socket) throws IOException {
    return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  static void head(OutputStream out, long length) throws IOException {
    var head =
        "POST /api/agent/uploads HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: "
            + length
            + "\r\n\r\n";
    out.write(head.getBytes(StandardCharsets.US_ASCII));
  }

  /** A client that reads an answer line by line, as it comes. */
  final class Lines implements AutoCloseable {

    private static final String END = "<end>";

    private final Socket socket = connect();
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    Lines(String path) throws IOException {
      var request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(Buffer.buffer(request).getBytes());
      Thread.ofVirtual().start(this::read);
    }

    void expect(String line) throws InterruptedException {
      String next;
      do {
        next = lines.poll(5, TimeUnit.SECONDS);
        assertThat(next).as("while waiting for %s", line).isNotNull().isNotEqualTo(END);
      } while (!line.equals(next));
    }

    void expectEnd() throws InterruptedException {
      String next;
      do {
        next = lines.poll(5, TimeUnit.SECONDS);
        assertThat(next).isNotNull();
      } while (!END.equals(next));
    }

    private void read() {
      try (var in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))) {
        for (var line = in.readLine(); line != null; line = in.readLine()) {
          lines.add(line);
        }
      } catch (IOException closed) {
        lines.add("closed: " + closed.getMessage());
      }
      lines.add(END);
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }
}
