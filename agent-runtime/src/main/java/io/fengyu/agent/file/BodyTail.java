package io.fengyu.agent.file;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The last bytes of a multipart body: nobody else tells that a body ended before its last boundary.
 */
final class BodyTail {

  private static final Pattern BOUNDARY =
      Pattern.compile("boundary=\"?([^\";,\\s]{1,200})", Pattern.CASE_INSENSITIVE);
  private static final int KEPT = 512;

  private final @Nullable String closing;
  private Buffer last = Buffer.buffer();

  BodyTail(@Nullable String contentType) {
    var found = BOUNDARY.matcher(contentType == null ? "" : contentType);
    closing = found.find() ? "--" + found.group(1) + "--" : null;
  }

  void add(Buffer bytes) {
    var all = bytes.length() >= KEPT ? bytes : last.appendBuffer(bytes);
    last = all.getBuffer(Math.max(0, all.length() - KEPT), all.length());
  }

  /** True when the last boundary was there. */
  boolean closes() {
    return closing == null || last.toString(StandardCharsets.ISO_8859_1).contains(closing);
  }
}
