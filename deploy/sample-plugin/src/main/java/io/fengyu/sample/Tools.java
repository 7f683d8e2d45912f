package io.fengyu.sample;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** What the plugin can do. */
final class Tools {

  private final Map<String, Counting> jobs = new ConcurrentHashMap<>();
  private final AtomicInteger lastJob = new AtomicInteger();

  /**
   * Calls a method.
   *
   * @throws UnsupportedOperationException for one that there is not
   */
  Map<String, @Nullable Object> call(String method, Map<?, ?> params)
      throws IOException, InterruptedException {
    return switch (method) {
      case "text_count" -> count(text(params, "text"));
      case "text_note" -> note(text(params, "text"));
      case "file_lines" -> lines(Path.of(text(params, "file")));
      case "file_write" ->
          write(Path.of(text(params, "directory")), text(params, "name"), text(params, "text"));
      case "wait" -> pause(number(params, "seconds"));
      case "counting_start" -> start((int) number(params, "to"));
      case "counting_status" -> job(params).status((int) number(params, "cursor"));
      case "counting_cancel" -> job(params).cancel();
      default -> throw new UnsupportedOperationException(method);
    };
  }

  private static Map<String, @Nullable Object> count(String text) {
    var words = text.isBlank() ? 0 : text.strip().split("\\s+").length;
    return Map.of(
        "success", true, "words", words, "characters", text.codePointCount(0, text.length()));
  }

  private static Map<String, @Nullable Object> note(String text) throws IOException {
    var notes = Path.of(System.getenv("FENGYU_PLUGIN_DATA")).resolve("notes.txt");
    Files.writeString(
        notes,
        text.replace('\n', ' ') + "\n",
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
    return Map.of("success", true, "notes", Files.readAllLines(notes).size());
  }

  private static Map<String, @Nullable Object> lines(Path file) throws IOException {
    try (var lines = Files.lines(file)) {
      return Map.of("success", true, "lines", lines.count());
    }
  }

  private static Map<String, @Nullable Object> write(Path directory, String name, String text)
      throws IOException {
    var file = directory.resolve(Path.of(name).getFileName());
    Files.writeString(file, text);
    return Map.of("success", true, "file", file.toString());
  }

  private static Map<String, @Nullable Object> pause(double seconds) throws InterruptedException {
    Thread.sleep((long) (seconds * 1000));
    return Map.of("success", true);
  }

  private Map<String, @Nullable Object> start(int to) {
    var id = "counting-" + lastJob.incrementAndGet();
    jobs.put(id, new Counting(to));
    return Map.of("success", true, "async", true, "jobId", id);
  }

  private Counting job(Map<?, ?> params) {
    var job = jobs.get(text(params, "jobId"));
    if (job == null) {
      throw new IllegalArgumentException("there is no such job");
    }
    return job;
  }

  private static String text(Map<?, ?> params, String name) {
    if (params.get(name) instanceof String text) {
      return text;
    }
    throw new IllegalArgumentException(name + " is missing");
  }

  private static double number(Map<?, ?> params, String name) {
    return params.get(name) instanceof Double number ? number : 0;
  }

  /** A job that goes one further whenever it is asked how it goes. */
  private static final class Counting {

    private final int to;
    private int at;
    private boolean cancelled;

    Counting(int to) {
      this.to = to;
    }

    synchronized Map<String, @Nullable Object> status(int cursor) {
      at = cancelled ? at : Math.min(to, at + 1);
      var status = cancelled ? "CANCELLED" : at == to ? "DONE" : "RUNNING";
      var logs = at > cursor ? List.of("counted to " + at) : List.of();
      Map<String, Object> result = at == to ? Map.of("counted", at) : Map.of();
      return Map.of(
          "status", status,
          "logs", logs,
          "cursor", at,
          "done", !status.equals("RUNNING"),
          "result", result);
    }

    synchronized Map<String, @Nullable Object> cancel() {
      cancelled = true;
      return Map.of("success", true);
    }
  }
}
