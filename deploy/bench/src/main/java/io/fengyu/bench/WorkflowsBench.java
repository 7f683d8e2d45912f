package io.fengyu.bench;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** How long one owner of very many large workflows waits for the library. */
final class WorkflowsBench implements Bench {

  private static final int DEFINITIONS = 5_000;
  private static final int STEPS = 64;
  private static final int SAMPLES = 200;
  private static final int CLIENTS = 8;
  private static final String PATH = "/api/workflows";
  private static final Pattern ID = Pattern.compile("\"id\":\"([a-z0-9]+)\"");

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  @Override
  public String about() {
    return "list, get, save and publish with 5 000 workflows of 64 steps of one owner";
  }

  @Override
  public int limitSeconds() {
    return 900;
  }

  @Override
  public void run(Lab lab) throws Exception {
    var stack = lab.stack();
    var ids = made(stack);
    lab.say(ids.size() + " workflows of " + STEPS + " steps");
    lab.quiet();
    var table =
        lab.table("request", "median ms", "p99 ms", "ratio to a workflow that is not there");
    var nothing = times(i -> answer(stack, "GET", PATH + "/none", null, 404));
    row(table, "none", nothing, nothing);
    row(table, "list", times(i -> get(stack, PATH + "?view=SUMMARY&limit=50")), nothing);
    row(table, "list in full", times(i -> get(stack, PATH + "?limit=20")), nothing);
    row(table, "get", times(i -> get(stack, PATH + "/" + of(ids, i))), nothing);
    row(table, "save", times(i -> save(stack, of(ids, i), i)), nothing);
    row(table, "publish", times(i -> publish(stack, of(ids, i))), nothing);
    table.print();
  }

  private interface Request {
    void make(int number) throws Exception;
  }

  private static void row(Table table, String name, Samples samples, Samples baseline) {
    table.row(name, samples.median(), samples.p99(), samples.median() / baseline.median());
  }

  private static Samples times(Request request) throws Exception {
    for (int i = 0; i < SAMPLES / 2; i++) {
      request.make(i);
    }
    var nanos = new long[SAMPLES];
    for (int i = 0; i < SAMPLES; i++) {
      long begun = System.nanoTime();
      request.make(SAMPLES + i);
      nanos[i] = System.nanoTime() - begun;
    }
    return Samples.millis(nanos);
  }

  private static String of(List<String> ids, int number) {
    return ids.get(number * 37 % ids.size());
  }

  private List<String> made(Stack stack) throws Exception {
    List<Callable<String>> all = new ArrayList<>(DEFINITIONS);
    for (int i = 0; i < DEFINITIONS; i++) {
      int number = i;
      all.add(() -> id(answer(stack, "POST", PATH, draft(number), 200)));
    }
    var ids = new ArrayList<String>(DEFINITIONS);
    try (var threads = Executors.newFixedThreadPool(CLIENTS)) {
      for (var one : threads.invokeAll(all)) {
        ids.add(one.get());
      }
    }
    return ids;
  }

  private static String id(String definition) {
    var found = ID.matcher(definition);
    if (!found.find()) {
      throw new IllegalStateException("No id in " + definition);
    }
    return found.group(1);
  }

  private void get(Stack stack, String path) throws Exception {
    answer(stack, "GET", path, null, 200);
  }

  private void save(Stack stack, String id, int number) throws Exception {
    answer(stack, "PUT", PATH + "/" + id, draft(number), 200);
  }

  private void publish(Stack stack, String id) throws Exception {
    answer(stack, "POST", PATH + "/" + id + "/publish", "{}", 200);
  }

  private String answer(
      Stack stack, String method, String path, @Nullable String body, int expected)
      throws IOException, InterruptedException {
    var request = stack.request(path).header("Content-Type", "application/json");
    var content = body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body);
    HttpResponse<String> answer =
        http.send(request.method(method, content).build(), BodyHandlers.ofString());
    if (answer.statusCode() != expected) {
      throw new IllegalStateException(
          method + " " + path + " answered " + answer.statusCode() + ": " + answer.body());
    }
    return answer.body();
  }

  private static String draft(int number) {
    var steps =
        IntStream.range(0, STEPS)
            .mapToObj(WorkflowsBench::step)
            .collect(Collectors.joining(",", "[", "]"));
    return """
        {"name":"Flow %d","inputSchema":{"type":"object","properties":{"q":{"type":"string"}}},
         "plan":{"goal":"Report {{inputs.q}}","steps":%s}}"""
        .formatted(number, steps);
  }

  private static String step(int index) {
    var before = index == 0 ? "" : "{{steps." + (index - 1) + ".result}}";
    return """
        {"index":%d,"toolName":"json_format","description":"Tidies what came before",
         "args":{"json":"{\\"a\\":\\"%s\\"}"},"dependsOn":[%s]}"""
        .formatted(index, before, index == 0 ? "" : index - 1);
  }
}
