package io.fengyu.webhook.signature;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** How a sender signs its deliveries; each over the raw bytes, as its documentation says. */
public enum SignatureScheme {
  /**
   * The open standard: {@code webhook-id}, {@code webhook-timestamp}, {@code webhook-signature}.
   */
  STANDARD_WEBHOOKS("standard-webhooks", "webhook-signature") {
    @Override
    public boolean proves(String secret, Headers headers, byte[] body, Instant now) {
      var id = headers.get("webhook-id");
      var time = headers.get("webhook-timestamp");
      var key = standardKey(secret);
      if (id.isEmpty() || key == null || !recent(time, now)) {
        return false;
      }
      var expected = Hmac.of(key, id + "." + time + ".", body);
      return Arrays.stream(headers.get(header()).split(" ", -1))
          .filter(one -> one.startsWith("v1,"))
          .anyMatch(one -> sameBase64(expected, one.substring(3)));
    }

    @Override
    public boolean takes(String secret) {
      var key = standardKey(secret);
      return key != null && key.length >= 16 && secret.length() <= LONGEST_SECRET;
    }

    @Override
    public Optional<String> eventId(Headers headers) {
      return Optional.of(headers.get("webhook-id"));
    }
  },
  /** {@code X-Hub-Signature-256}; it has no time. */
  GITHUB("github", "X-Hub-Signature-256") {
    @Override
    public boolean proves(String secret, Headers headers, byte[] body, Instant now) {
      var sent = headers.get(header());
      return sent.startsWith("sha256=")
          && Hmac.sameHex(Hmac.of(utf8(secret), "", body), sent.substring(7));
    }

    @Override
    public Optional<String> eventId(Headers headers) {
      return Optional.of(headers.get("X-GitHub-Delivery"));
    }
  },
  /** {@code X-Slack-Signature} over version, time and body. */
  SLACK("slack", "X-Slack-Signature") {
    @Override
    public boolean proves(String secret, Headers headers, byte[] body, Instant now) {
      var sent = headers.get(header());
      var time = headers.get("X-Slack-Request-Timestamp");
      return sent.startsWith("v0=")
          && recent(time, now)
          && Hmac.sameHex(Hmac.of(utf8(secret), "v0:" + time + ":", body), sent.substring(3));
    }

    @Override
    public Optional<String> eventIdField() {
      return Optional.of("event_id");
    }
  },
  /** {@code Stripe-Signature} with a time and one or more {@code v1}. */
  STRIPE("stripe", "Stripe-Signature") {
    @Override
    public boolean proves(String secret, Headers headers, byte[] body, Instant now) {
      var parts = headers.get(header()).split(",", -1);
      var time =
          Arrays.stream(parts)
              .filter(part -> part.startsWith("t="))
              .map(part -> part.substring(2))
              .findFirst()
              .orElse("");
      if (!recent(time, now)) {
        return false;
      }
      var expected = Hmac.of(utf8(secret), time + ".", body);
      return Arrays.stream(parts)
          .filter(part -> part.startsWith("v1="))
          .anyMatch(part -> Hmac.sameHex(expected, part.substring(3)));
    }

    @Override
    public Optional<String> eventIdField() {
      return Optional.of("id");
    }
  };

  private static final int LONGEST_SECRET = 500;
  private static final Duration WINDOW = Duration.ofMinutes(5);
  private static final String PREFIX = "whsec_";

  private final String wire;
  private final String header;

  SignatureScheme(String wire, String header) {
    this.wire = wire;
    this.header = header;
  }

  /** Headers of a delivery, by name in any case; empty text for one that is not there. */
  public interface Headers {

    /** Its value. */
    String get(String name);

    /** From a lookup that answers null. */
    static Headers of(UnaryOperator<@Nullable String> lookup) {
      return name -> {
        var value = lookup.apply(name);
        return value == null ? "" : value.strip();
      };
    }
  }

  /** By its name on the wire. */
  public static Optional<SignatureScheme> named(String wire) {
    return Arrays.stream(values()).filter(scheme -> scheme.wire.equals(wire)).findFirst();
  }

  /** Its name on the wire. */
  public String wire() {
    return wire;
  }

  String header() {
    return header;
  }

  /** True when the delivery claims to be signed this way. */
  public boolean claimed(Headers headers) {
    return !headers.get(header).isEmpty();
  }

  /** True when the signature is right and, where the scheme has a time, at most 5 minutes old. */
  public abstract boolean proves(String secret, Headers headers, byte[] body, Instant now);

  /** True when a secret can be one of this scheme. */
  public boolean takes(String secret) {
    return !secret.isBlank() && secret.length() <= LONGEST_SECRET;
  }

  /** The event id that stands in a header; empty when it stands in the body. */
  public Optional<String> eventId(Headers headers) {
    return Optional.empty();
  }

  /** Top-level field of the body that holds the event id; empty when a header does. */
  public Optional<String> eventIdField() {
    return Optional.empty();
  }

  private static boolean recent(String seconds, Instant now) {
    if (!seconds.matches("[0-9]{1,12}")) {
      return false;
    }
    var age = Duration.between(Instant.ofEpochSecond(Long.parseLong(seconds)), now).abs();
    return age.compareTo(WINDOW) <= 0;
  }

  private static byte @Nullable [] standardKey(String secret) {
    try {
      return Base64.getDecoder()
          .decode(secret.startsWith(PREFIX) ? secret.substring(PREFIX.length()) : secret);
    } catch (IllegalArgumentException noBase64) {
      return null;
    }
  }

  private static boolean sameBase64(byte[] expected, String sent) {
    var text = Base64.getEncoder().encode(expected);
    return MessageDigest.isEqual(text, utf8(sent));
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
