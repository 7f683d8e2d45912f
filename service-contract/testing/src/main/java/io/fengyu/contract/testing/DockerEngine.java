package io.fengyu.contract.testing;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Asks for a Docker engine before a library does that would wait and complain for long. */
final class DockerEngine {

  private static final String USUAL = "unix:///var/run/docker.sock";
  private static final ByteBuffer PING =
      StandardCharsets.US_ASCII
          .encode("GET /_ping HTTP/1.0\r\nHost: docker\r\nConnection: close\r\n\r\n")
          .asReadOnlyBuffer();

  private DockerEngine() {}

  /** True when an engine answers at {@code DOCKER_HOST} or at the usual socket. */
  static boolean answers(Duration patience) {
    var set = System.getenv("DOCKER_HOST");
    return answers(set == null || set.isBlank() ? USUAL : set.strip(), patience);
  }

  /**
   * True when an engine answers there.
   *
   * @param host as {@code DOCKER_HOST} has it: {@code unix://} or {@code tcp://}
   */
  static boolean answers(String host, Duration patience) {
    var address = address(host);
    if (address == null) {
      return false;
    }
    try (var selector = Selector.open();
        var channel = channel(address)) {
      channel.configureBlocking(false);
      var deadline = System.nanoTime() + patience.toNanos();
      if (!channel.connect(address)) {
        await(selector, channel, SelectionKey.OP_CONNECT, deadline);
        channel.finishConnect();
      }
      channel.write(PING.duplicate());
      await(selector, channel, SelectionKey.OP_READ, deadline);
      var answer = ByteBuffer.allocate(64);
      channel.read(answer);
      return StandardCharsets.US_ASCII.decode(answer.flip()).toString().contains(" 200 ");
    } catch (IOException | UnsupportedOperationException nobody) {
      return false;
    }
  }

  private static @Nullable SocketAddress address(String host) {
    try {
      var uri = URI.create(host);
      return switch (String.valueOf(uri.getScheme())) {
        case "unix" -> UnixDomainSocketAddress.of(uri.getPath());
        case "tcp", "http" -> new InetSocketAddress(uri.getHost(), uri.getPort());
        default -> null;
      };
    } catch (IllegalArgumentException unreadable) {
      return null;
    }
  }

  private static SocketChannel channel(SocketAddress address) throws IOException {
    return address instanceof UnixDomainSocketAddress
        ? SocketChannel.open(java.net.StandardProtocolFamily.UNIX)
        : SocketChannel.open();
  }

  private static void await(Selector selector, SocketChannel channel, int what, long deadline)
      throws IOException {
    channel.register(selector, what);
    var left = Duration.ofNanos(deadline - System.nanoTime()).toMillis();
    if (left <= 0 || selector.select(left) == 0) {
      throw new IOException("No answer in time");
    }
    selector.selectedKeys().clear();
  }
}
