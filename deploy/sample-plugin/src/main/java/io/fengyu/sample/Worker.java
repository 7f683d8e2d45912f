package io.fengyu.sample;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Reads requests from its input, one a line, and answers each on its output when it is done; calls
 * run side by side. What it complains about goes to the other stream.
 */
public final class Worker {

  private static final int NO_METHOD = -32601;
  private static final int HANDLER_FAILED = -32000;

  // Whatever prints to System.out by mistake must not disturb the protocol.
  private final PrintStream out =
      new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Map<Object, Future<?>> running = new ConcurrentHashMap<>();
  private final Tools tools = new Tools();

  /** Ends when its input does. */
  public static void main(String... args) throws IOException {
    System.setOut(System.err);
    new Worker().serve();
  }

  private void serve() throws IOException {
    try (var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      for (var line = in.readLine(); line != null; line = in.readLine()) {
        if (Json.read(line) instanceof Map<?, ?> request) {
          take(request);
        }
      }
    }
    threads.shutdownNow();
  }

  private void take(Map<?, ?> request) {
    var method = String.valueOf(request.get("method"));
    var params = request.get("params") instanceof Map<?, ?> given ? given : Map.of();
    var id = request.get("id");
    if (method.equals("$/cancelRequest")) {
      var call = params.get("id") == null ? null : running.get(params.get("id"));
      if (call != null) {
        call.cancel(true);
      }
    } else if (id != null) {
      running.put(id, threads.submit(() -> run(id, method, params)));
    }
  }

  private void run(Object id, String method, Map<?, ?> params) {
    var answer = new LinkedHashMap<String, @Nullable Object>();
    answer.put("jsonrpc", "2.0");
    answer.put("id", id);
    try {
      answer.put("result", tools.call(method, params));
    } catch (UnsupportedOperationException unknown) {
      answer.put("error", error(NO_METHOD, "no such method: " + method));
    } catch (InterruptedException cancelled) {
      answer.put("error", error(HANDLER_FAILED, "cancelled"));
    } catch (IOException | RuntimeException failed) {
      answer.put("error", error(HANDLER_FAILED, String.valueOf(failed.getMessage())));
    }
    say(Json.write(answer));
    running.remove(id);
  }

  private static Map<String, Object> error(int code, String message) {
    return Map.of("code", (double) code, "message", message);
  }

  private synchronized void say(String line) {
    out.print(line + "\n");
    out.flush();
  }
}
