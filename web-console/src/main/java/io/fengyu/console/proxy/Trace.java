package io.fengyu.console.proxy;

import io.vertx.core.http.HttpServerRequest;
import java.util.HexFormat;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;

/**
 * What a request is found by in every service's log.
 *
 * @param requestId the caller's, when it is harmless, else a new one
 * @param traceparent the caller's W3C context, else a new one
 */
record Trace(String requestId, String traceparent) {

  private static final Pattern SAFE = Pattern.compile("[A-Za-z0-9._:-]{1,128}");
  private static final Pattern W3C =
      Pattern.compile("(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}");

  static Trace of(HttpServerRequest request) {
    var id = request.getHeader("X-Request-ID");
    var parent = request.getHeader("traceparent");
    return new Trace(
        id != null && SAFE.matcher(id).matches() ? id : UUID.randomUUID().toString(),
        parent != null && W3C.matcher(parent).matches() ? parent : fresh());
  }

  String traceId() {
    return traceparent.substring(3, 35);
  }

  private static String fresh() {
    return "00-" + hex(16) + "-" + hex(8) + "-01";
  }

  private static String hex(int bytes) {
    var random = new byte[bytes];
    ThreadLocalRandom.current().nextBytes(random);
    return HexFormat.of().formatHex(random);
  }
}
