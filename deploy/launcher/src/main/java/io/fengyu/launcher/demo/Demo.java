package io.fengyu.launcher.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.UUID;
import java.util.zip.ZipFile;

/** Splits a workbook of 12 000 orders by region with a saved workflow, as any client would. */
public final class Demo {

  private static final int ROWS = 12_000;

  private final HttpClient http = HttpClient.newHttpClient();
  private final ObjectMapper json = new ObjectMapper();
  private final String origin;
  private final String token;
  private final Path folder;

  private Demo(String origin, String token, Path folder) {
    this.origin = origin;
    this.token = token;
    this.folder = folder;
  }

  /**
   * Takes the data directory, the workflow to use and, for a system that ./fengyu did not start,
   * its address; the token of that one is in FENGYU_TOKEN.
   */
  public static void main(String[] args) throws Exception {
    var folder = Path.of(args[0]).resolve("demo");
    try {
      var demo =
          args.length > 2
              ? new Demo(args[2].replaceAll("/+$", ""), tokenOfEnvironment(), folder)
              : started(Path.of(args[0]), folder);
      System.exit(demo.run(Path.of(args[1])) ? 0 : 1);
    } catch (IOException refused) {
      System.err.println(refused.getMessage() == null ? refused.toString() : refused.getMessage());
      System.exit(1);
    }
  }

  private static Demo started(Path data, Path folder) throws IOException {
    var state = new Properties();
    if (!Files.exists(data.resolve("state.properties"))) {
      throw new IOException("FengYu Server is not running on " + data + ": ./fengyu up");
    }
    try (var in = Files.newBufferedReader(data.resolve("state.properties"))) {
      state.load(in);
    }
    return new Demo(
        "http://localhost:" + state.getProperty("web-console.port"),
        Files.readString(data.resolve("token")).strip(),
        folder);
  }

  private static String tokenOfEnvironment() throws IOException {
    var token = System.getenv().getOrDefault("FENGYU_TOKEN", "");
    if (token.isBlank()) {
      throw new IOException("Set FENGYU_TOKEN to the token of that system");
    }
    return token.strip();
  }

  private boolean run(Path workflowFile) throws IOException, InterruptedException {
    var book = folder.resolve("orders.xlsx");
    OrderBook.write(book, ROWS);
    say(
        "Wrote "
            + book
            + ": "
            + ROWS
            + " orders, three sheets, "
            + Files.size(book) / 1024
            + " KB");

    var refs = upload(book);
    say("Uploaded it: " + refs.size() + " file grant(s)");

    var workflow = post("/api/workflows", BodyPublishers.ofFile(workflowFile), "application/json");
    var id = workflow.path("id").asText();
    say("Created the workflow \"" + workflow.path("name").asText() + "\": " + id);

    var published = publish(id, workflow);
    say("Published it: version " + published.path("publishedRevision").asText("1"));

    var began = System.nanoTime();
    var runId = start(id, refs);
    say("Started run " + runId + "; its events:");
    var last = watch(runId);
    say("Ended with \"" + last + "\" after " + (System.nanoTime() - began) / 1_000_000 + " ms");

    return last.equals("complete") && fetch(runId);
  }

  private JsonNode upload(Path file) throws IOException, InterruptedException {
    var boundary = UUID.randomUUID().toString();
    var body = new ByteArrayOutputStream();
    body.writeBytes(
        ("--"
                + boundary
                + "\r\nContent-Disposition: form-data; name=\"file\"; filename=\""
                + file.getFileName()
                + "\"\r\nContent-Type:"
                + " application/vnd.openxmlformats-officedocument.spreadsheetml.sheet\r\n\r\n")
            .getBytes(StandardCharsets.UTF_8));
    body.writeBytes(Files.readAllBytes(file));
    body.writeBytes(("\r\n--" + boundary + "--\r\n").getBytes(StandardCharsets.UTF_8));
    return post(
        "/api/ai/files/upload",
        BodyPublishers.ofByteArray(body.toByteArray()),
        "multipart/form-data; boundary=" + boundary);
  }

  private JsonNode publish(String id, JsonNode workflow) throws IOException, InterruptedException {
    var body = json.createObjectNode().put("expectedRevision", workflow.path("revision").asInt());
    return post(
        "/api/workflows/" + id + "/publish", BodyPublishers.ofString(body.toString()), JSON);
  }

  private String start(String id, JsonNode refs) throws IOException, InterruptedException {
    ObjectNode body = json.createObjectNode();
    body.putObject("inputs").put("sheet", "Orders").put("column", "Region");
    body.putObject("config")
        .put("requirePlanApproval", false)
        .put("requireStepApproval", false)
        .put("permissionMode", "approve-for-me");
    body.putArray("files").addObject().put("name", "workbook").set("refs", refs);
    var run = post("/api/workflows/" + id + "/run", BodyPublishers.ofString(body.toString()), JSON);
    return run.path("runId").asText();
  }

  /** Prints each event as it comes; returns the type of the last one. */
  private String watch(String runId) throws IOException, InterruptedException {
    var request = request("/api/agent/stream?runId=" + runId).timeout(Duration.ofMinutes(5)).GET();
    var response = http.send(request.build(), BodyHandlers.ofLines());
    var type = new String[] {"nothing"};
    try (var lines = response.body()) {
      lines.forEach(
          line -> {
            if (line.startsWith("event:")) {
              type[0] = line.substring(6).strip();
            } else if (line.startsWith("data:")) {
              System.out.println("    " + type[0] + " " + shortened(line.substring(5).strip()));
            }
          });
    }
    return type[0];
  }

  /** Downloads every workbook the run made and checks that no row was lost. */
  private boolean fetch(String runId) throws IOException, InterruptedException {
    var files = get("/api/agent/runs/" + runId + "/files");
    var sum = 0;
    var fetched = new ArrayList<String>();
    for (var file : files) {
      var path = file.path("path").asText();
      if (path.endsWith(".xlsx")) {
        var target = folder.resolve(path.substring(path.lastIndexOf('/') + 1));
        var request = request("/api/agent/runs/" + runId + "/files/" + encoded(path)).GET().build();
        http.send(request, BodyHandlers.ofFile(target));
        var rows = rows(target);
        sum += rows;
        fetched.add(target + ": " + rows + " orders");
      }
    }
    fetched.forEach(line -> say("  " + line));
    for (var region : OrderBook.REGIONS) {
      var expected = OrderBook.rowsOf(region, ROWS);
      if (expected > 0
          && fetched.stream().noneMatch(f -> f.endsWith(": " + expected + " orders"))) {
        say("No file has the " + expected + " orders of " + region);
        return false;
      }
    }
    say(sum + " of " + ROWS + " orders came back in " + fetched.size() + " workbooks");
    return sum == ROWS;
  }

  /** Rows of the first sheet, without its header. */
  private static int rows(Path workbook) throws IOException {
    try (var zip = new ZipFile(workbook.toFile())) {
      var sheet = zip.getEntry("xl/worksheets/sheet1.xml");
      var text = new String(zip.getInputStream(sheet).readAllBytes(), StandardCharsets.UTF_8);
      return text.split("<row ", -1).length - 2;
    }
  }

  private static final String JSON = "application/json";

  private JsonNode post(String path, BodyPublisher body, String type)
      throws IOException, InterruptedException {
    return answer(request(path).header("Content-Type", type).POST(body).build());
  }

  private JsonNode get(String path) throws IOException, InterruptedException {
    return answer(request(path).GET().build());
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(origin + path))
        .timeout(Duration.ofSeconds(60))
        .header("X-FengYu-Token", token);
  }

  private JsonNode answer(HttpRequest request) throws IOException, InterruptedException {
    var response = http.send(request, BodyHandlers.ofString());
    if (response.statusCode() / 100 != 2) {
      throw new IOException(
          request.method()
              + " "
              + request.uri().getPath()
              + ": "
              + response.statusCode()
              + " "
              + response.body());
    }
    return json.readTree(response.body());
  }

  private static String encoded(String path) {
    return String.join(
        "/",
        List.of(path.split("/", -1)).stream()
            .map(part -> URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20"))
            .toList());
  }

  private static String shortened(String data) {
    return data.length() <= 160 ? data : data.substring(0, 160) + "…";
  }

  private static void say(String line) {
    System.out.println(line);
  }
}
