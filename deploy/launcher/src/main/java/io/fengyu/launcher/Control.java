package io.fengyu.launcher;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/** How commands reach a running launcher: a socket in its data directory, for its owner only. */
final class Control {

  private static final String DONE = "\u0004";

  private final Path socket;
  private final Commands commands;
  private final ServerSocketChannel server;

  /** What the other side of the socket can ask for. */
  interface Commands {
    List<String> carryOut(List<String> words);
  }

  Control(Path socket, Commands commands) {
    this.socket = socket;
    this.commands = commands;
    try {
      var owner =
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
      if (!Files.exists(socket.getParent())) {
        Files.createDirectory(socket.getParent(), owner);
      }
      Files.deleteIfExists(socket);
      server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
      server.bind(UnixDomainSocketAddress.of(socket));
      Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-------"));
    } catch (IOException failed) {
      throw new LaunchException("Cannot listen on " + socket + ": " + failed.getMessage(), failed);
    }
  }

  void start() {
    Thread.ofPlatform().name("control").daemon().start(this::listen);
  }

  void close() throws IOException {
    server.close();
    Files.deleteIfExists(socket);
  }

  private void listen() {
    while (server.isOpen()) {
      try {
        var channel = server.accept();
        Thread.ofPlatform().name("command").daemon().start(() -> answer(channel));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void answer(SocketChannel channel) {
    try (channel) {
      var line = new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8)).readLine();
      var answer = line == null ? "" : outcome(List.of(line.strip().split(" +")));
      channel.write(ByteBuffer.wrap((answer + "\n").getBytes(StandardCharsets.UTF_8)));
    } catch (IOException gone) {
      Log.say("A command's answer was not read: " + gone.getMessage());
    }
  }

  private String outcome(List<String> words) {
    try {
      var lines = commands.carryOut(words);
      return (lines.isEmpty() ? "" : String.join("\n", lines) + "\n") + DONE + "0";
    } catch (RuntimeException refused) {
      return refused.getMessage() + "\n" + DONE + "1";
    }
  }

  /** Sends a command to the launcher of this directory and prints its answer. */
  static int send(Path socket, List<String> words) throws IOException {
    try (var channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
      var line = String.join(" ", words) + "\n";
      channel.write(ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8)));
      var in = new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8));
      for (var next = in.readLine(); next != null; next = in.readLine()) {
        if (next.startsWith(DONE)) {
          return Integer.parseInt(next.substring(1).strip());
        }
        System.out.println(next);
      }
      return words.getFirst().equals("down") ? 0 : 1; // it ended before its last word
    }
  }
}
