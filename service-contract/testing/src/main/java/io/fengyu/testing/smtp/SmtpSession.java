package io.fengyu.testing.smtp;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** One client of the server. */
final class SmtpSession {

  private final Socket client;
  private final BufferedReader in;
  private final SmtpServer server;
  private final List<String> recipients = new ArrayList<>();
  private String sender = "";
  private String login = "";

  SmtpSession(Socket client, SmtpServer server) throws IOException {
    this.client = client;
    this.server = server;
    this.in = new BufferedReader(new InputStreamReader(client.getInputStream(), UTF_8));
  }

  void run() throws IOException, InterruptedException {
    switch (server.greeting()) {
      case NONE -> {
        while (in.readLine() != null) {
          // It never says a word.
        }
        return;
      }
      case BUSY -> {
        say("421 too busy");
        return;
      }
      case USUAL -> say("220 test.example ESMTP");
    }
    for (var line = in.readLine(); line != null && answer(line); line = in.readLine()) {
      // One command after the other.
    }
  }

  private boolean answer(String line) throws IOException, InterruptedException {
    switch (line.split("[ :]", 2)[0].toUpperCase(Locale.ROOT)) {
      case "EHLO" -> say("250-test.example\r\n250-8BITMIME\r\n250 AUTH PLAIN");
      case "HELO", "NOOP" -> say("250 ok");
      case "AUTH" -> auth(line);
      case "MAIL" -> mail(line);
      case "RCPT" -> recipient(line);
      case "RSET" -> {
        recipients.clear();
        say("250 ok");
      }
      case "DATA" -> {
        return data();
      }
      case "QUIT" -> {
        say("221 bye");
        return false;
      }
      default -> say("502 unknown command");
    }
    return true;
  }

  private void auth(String line) throws IOException {
    var words = line.split(" ", -1);
    if (words.length < 3) {
      say("334 ");
    }
    var sent = words.length < 3 ? in.readLine() : words[2];
    var told = new String(Base64.getDecoder().decode(String.valueOf(sent)), UTF_8);
    var parts = told.split("\0", 2);
    if (parts.length == 2 && parts[1].equals(server.login())) {
      login = parts[1].substring(0, parts[1].indexOf('\0'));
      say("235 welcome");
    } else {
      say("535 wrong name or password");
    }
  }

  private void mail(String line) throws IOException {
    if (!server.login().isEmpty() && login.isEmpty()) {
      say("530 log in first");
      return;
    }
    sender = address(line);
    recipients.clear();
    say("250 ok");
  }

  private void recipient(String line) throws IOException {
    var recipient = address(line);
    if (server.refuses(recipient)) {
      say("550 no such mailbox here");
    } else {
      recipients.add(recipient);
      say("250 ok");
    }
  }

  private static String address(String line) {
    return line.substring(line.indexOf('<') + 1, line.indexOf('>'));
  }

  private boolean data() throws IOException, InterruptedException {
    say("354 go on");
    var body = body();
    if (body == null) {
      return false;
    }
    var ending = server.ending();
    if (ending == SmtpServer.Ending.REFUSE) {
      say("554 refused");
      return true;
    }
    server.take(new ReceivedMail(login, sender, List.copyOf(recipients), body));
    if (ending == SmtpServer.Ending.TAKE_AND_DIE) {
      return false;
    }
    if (ending == SmtpServer.Ending.HOLD) {
      server.awaitRelease();
    }
    say("250 taken");
    return true;
  }

  private @Nullable String body() throws IOException {
    var body = new StringBuilder();
    for (var line = in.readLine(); line != null; line = in.readLine()) {
      if (line.equals(".")) {
        return body.toString();
      }
      if (server.diesInData()) {
        return null;
      }
      body.append(line.startsWith(".") ? line.substring(1) : line).append('\n');
    }
    return null;
  }

  private void say(String line) throws IOException {
    client.getOutputStream().write((line + "\r\n").getBytes(UTF_8));
    client.getOutputStream().flush();
  }
}
