package io.fengyu.bench;

import io.fengyu.bench.chat.Model;
import io.fengyu.bench.chat.Program;
import io.fengyu.bench.chat.Readers;
import io.fengyu.bench.chat.Readers.Load;
import io.fengyu.bench.chat.Relay;
import io.fengyu.contract.db.DatabaseBootstrap;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;

/** Tokens through chat-service, kept and numbered, against a relay that keeps nothing. */
final class ChatBench implements Bench {

  private static final String TOKEN = "bench-token-0123456789abcdef";
  private static final double GIB = 1024.0 * 1024 * 1024;
  private static final Load LIGHT = new Load(16, 800, 10, 1000);
  private static final Load FLAT_OUT = new Load(16, 20_000, 0, 1000);
  private static final int SLOW = Integer.getInteger("bench.chat.slow", 4000);
  private static final Load MANY = new Load(SLOW, 40, 1000, 400);
  private static final int ROUNDS = 3;

  private record Side(String name, Program program, Readers.Door door) {}

  @Override
  public String about() {
    return "delay per token, frames per second and streams per GiB, against a bare relay";
  }

  @Override
  public int limitSeconds() {
    return 600;
  }

  @Override
  public void run(Lab lab) throws Exception {
    var model = lab.opened(Program.of(Model.class));
    var relay = lab.opened(Program.of(Relay.class, Integer.toString(model.port())));
    var chat = lab.opened(service(lab, model.port()));
    var readers = lab.opened(new Readers());
    var bare = new Side("bare relay", relay, Readers.relay(relay.port()));
    for (var load : List.of(LIGHT, FLAT_OUT)) {
      configure(chat, model, load);
      readers.read(door(chat, load), load, () -> {});
      readers.read(bare.door(), load, () -> {});
    }
    delays(lab, readers, bare, chat);
    flatOut(lab, readers, bare, chat);
    many(lab, readers, bare, chat, model);
  }

  private static Readers.Door door(Program chat, Load load) {
    return Readers.chat(chat.port(), TOKEN, name(load));
  }

  private static String name(Load load) {
    return load.tokens() + "-" + load.everyMs();
  }

  private static void delays(Lab lab, Readers readers, Side bare, Program chat) throws Exception {
    var p50 = new ArrayList<Double>();
    var p99 = new ArrayList<Double>();
    var table = lab.table("16 streams, a token each 10 ms", "p50 ms", "p99 ms", "frames lost");
    for (var round = 0; round < ROUNDS; round++) {
      lab.quiet();
      var without = readers.read(bare.door(), LIGHT, () -> {});
      var with = readers.read(door(chat, LIGHT), LIGHT, () -> {});
      var relayed = Samples.millis(without.delays());
      var turned = Samples.millis(with.delays());
      table.row(bare.name(), relayed.p50(), relayed.p99(), LIGHT.frames() - without.frames());
      table.row("chat-service", turned.p50(), turned.p99(), LIGHT.frames() - with.frames());
      p50.add(turned.p50() / relayed.p50());
      p99.add(turned.p99() / relayed.p99());
    }
    table.row("ratio, median", median(p50), median(p99), "-");
    table.print();
  }

  private static void flatOut(Lab lab, Readers readers, Side bare, Program chat) throws Exception {
    var ratios = new ArrayList<Double>();
    var table = lab.table("16 streams, flat out", "frames/s", "frames lost");
    for (var round = 0; round < ROUNDS; round++) {
      lab.quiet();
      var without = readers.read(bare.door(), FLAT_OUT, () -> {});
      var with = readers.read(door(chat, FLAT_OUT), FLAT_OUT, () -> {});
      table.row(bare.name(), without.perSecond(), FLAT_OUT.frames() - without.frames());
      table.row("chat-service", with.perSecond(), FLAT_OUT.frames() - with.frames());
      ratios.add(with.perSecond() / without.perSecond());
    }
    table.row("ratio, median", median(ratios), "-");
    table.print();
  }

  private static void many(Lab lab, Readers readers, Side bare, Program chat, Program model)
      throws Exception {
    configure(chat, model, MANY);
    lab.quiet();
    var table =
        lab.table(
            SLOW + " streams, a token each second", "MiB more", "streams/GiB", "lost", "failed");
    var relayed = streams(table, readers, bare);
    var turned = streams(table, readers, new Side("chat-service", chat, door(chat, MANY)));
    table.row("ratio", "-", turned / relayed, "-", "-");
    table.print();
  }

  // What is open is weighed once all of it is, against the same process before.
  private static double streams(Table table, Readers readers, Side side) throws Exception {
    var before = side.program().resident();
    var during = new long[1];
    var outcome =
        readers.read(
            side.door(),
            MANY,
            () -> {
              try {
                during[0] = side.program().resident();
              } catch (Exception gone) {
                throw new IllegalStateException(gone);
              }
            });
    var more = Math.max(1, during[0] - before);
    var perGib = SLOW * GIB / more;
    table.row(
        side.name(),
        more / 1024.0 / 1024,
        perGib,
        MANY.frames() - outcome.frames(),
        outcome.failed());
    return perGib;
  }

  private static double median(List<Double> values) {
    return Samples.of(values.stream().mapToDouble(Double::doubleValue)).median();
  }

  private static Program service(Lab lab, int model) throws Exception {
    var postgres = lab.postgres();
    DatabaseBootstrap.run(postgres.jdbcUrl(), postgres.user(), "", "fengyu", role -> TOKEN);
    var variables = new HashMap<String, String>();
    variables.put("HTTP_PORT", Integer.toString(freePort()));
    variables.put("DB_HOST", "127.0.0.1");
    variables.put("DB_PORT", Integer.toString(postgres.port()));
    variables.put("DB_NAME", "fengyu");
    variables.put("DB_PASSWORD", TOKEN);
    variables.put("DB_MIGRATE_USER", "fengyu_owner");
    variables.put("DB_MIGRATE_PASSWORD", TOKEN);
    variables.put("FENGYU_TOKEN", TOKEN);
    variables.put("INTERNAL_SERVICE_SECRET", TOKEN + TOKEN);
    variables.put("FENGYU_MACHINE_KEY", TOKEN);
    variables.put("PROFILE", "workstation");
    variables.put("AGENT_URL", "http://127.0.0.1:" + model);
    variables.put("CHAT_MAX_UNFINISHED_TURNS", "100000");
    variables.put("SSE_STREAMS_PER_OWNER", "100000");
    variables.put("FENGYU_MODEL_TURNS", "100000");
    var jar = Home.directory().resolve("chat-service/target/quarkus-app/quarkus-run.jar");
    return Program.service(jar, variables);
  }

  private static int freePort() throws Exception {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  // The name of the model says how many tokens it writes, and how fast.
  private static void configure(Program chat, Program model, Load load) throws Exception {
    var body =
        "{\"mode\":\"openai\",\"model\":\"%s\",\"baseUrl\":\"http://127.0.0.1:%d\",\"apiKey\":\"sk-bench-0123456789\"}"
            .formatted(name(load), model.port());
    var request =
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + chat.port() + "/api/ai/models/" + name(load)))
            .header("X-FengYu-Token", TOKEN)
            .header("Content-Type", "application/json")
            .PUT(HttpRequest.BodyPublishers.ofString(body))
            .build();
    var answer = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      throw new IllegalStateException(answer.body());
    }
  }
}
