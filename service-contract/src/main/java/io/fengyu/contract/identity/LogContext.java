package io.fengyu.contract.identity;

import java.util.Arrays;
import java.util.HexFormat;
import org.jboss.logging.MDC;
import org.jspecify.annotations.Nullable;

/** Puts who and what a request belongs to into its log lines; the owner only as a hash. */
final class LogContext {

  private static final int HASH_BYTES = 8;

  private LogContext() {}

  static void of(Identity identity) {
    var hash = Arrays.copyOf(Digest.of(identity.owner()).bytes(), HASH_BYTES);
    put("userId", HexFormat.of().formatHex(hash));
    put("sessionId", identity.sessionId());
    put("runId", identity.runId());
    put("operationId", identity.operationId());
  }

  private static void put(String key, @Nullable String value) {
    if (value != null) {
      MDC.put(key, value);
    }
  }
}
