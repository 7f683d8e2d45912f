package io.fengyu.webhook.signature;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fengyu.webhook.signature.SignatureScheme.Headers;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The examples are those of the senders' own documentation. */
class SignatureSchemeTest {

  private static Headers headers(Map<String, String> sent) {
    var all = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
    all.putAll(sent);
    return Headers.of(all::get);
  }

  private static boolean proves(
      SignatureScheme scheme, String secret, Map<String, String> sent, String body, long seconds) {
    return scheme.proves(
        secret, headers(sent), body.getBytes(UTF_8), Instant.ofEpochSecond(seconds));
  }

  @Test
  void standardWebhooksExampleIsVerified() {
    var secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    var body = "{\"test\": 2432232314}";
    var sent =
        Map.of(
            "webhook-id", "msg_p5jXN8AQM9LWM0D4loKWxJek",
            "webhook-timestamp", "1614265330",
            "webhook-signature", "v2,x v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    var scheme = SignatureScheme.STANDARD_WEBHOOKS;

    assertThat(proves(scheme, secret, sent, body, 1_614_265_330)).isTrue();
    assertThat(proves(scheme, secret, sent, body, 1_614_265_330 + 300)).isTrue();
    assertThat(proves(scheme, secret, sent, body, 1_614_265_330 + 301)).isFalse();
    assertThat(proves(scheme, secret, sent, body, 1_614_265_330 - 301)).isFalse();
    assertThat(proves(scheme, secret, sent, body + " ", 1_614_265_330)).isFalse();
    assertThat(scheme.eventId(headers(sent))).contains("msg_p5jXN8AQM9LWM0D4loKWxJek");
    assertThat(scheme.takes(secret)).isTrue();
    assertThat(scheme.takes("whsec_short")).isFalse();
  }

  @Test
  void gitHubsExampleIsVerified() {
    var sent =
        Map.of(
            "X-Hub-Signature-256",
            "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17",
            "X-GitHub-Delivery",
            "72d3162e");
    var scheme = SignatureScheme.GITHUB;

    assertThat(proves(scheme, "It's a Secret to Everybody", sent, "Hello, World!", 0)).isTrue();
    assertThat(proves(scheme, "it's a Secret to Everybody", sent, "Hello, World!", 0)).isFalse();
    assertThat(proves(scheme, "It's a Secret to Everybody", sent, "Hello, World", 0)).isFalse();
    assertThat(scheme.eventId(headers(sent))).contains("72d3162e");
  }

  @Test
  void slacksExampleIsVerified() {
    var body =
        "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow"
            + "&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner"
            + "&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com"
            + "%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN"
            + "&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c";
    var sent =
        Map.of(
            "X-Slack-Request-Timestamp", "1531420618",
            "X-Slack-Signature",
                "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503");
    var secret = "8f742231b10e8888abcd99yyyzzz85a5";

    assertThat(proves(SignatureScheme.SLACK, secret, sent, body, 1_531_420_618)).isTrue();
    assertThat(proves(SignatureScheme.SLACK, secret, sent, body, 1_531_420_618 + 301)).isFalse();
    assertThat(SignatureScheme.SLACK.eventIdField()).contains("event_id");
  }

  @Test
  void stripesSignaturesAreVerifiedWhileASecretIsRolled() {
    var secret = "whsec_test_secret";
    var body = "{\"id\":\"evt_1\"}";
    var right =
        java.util.HexFormat.of()
            .formatHex(Hmac.of(secret.getBytes(UTF_8), "1492774577.", body.getBytes(UTF_8)));
    var sent = Map.of("Stripe-Signature", "t=1492774577,v1=" + "0".repeat(64) + ",v1=" + right);
    var old = Map.of("Stripe-Signature", "t=1492774577,v0=" + right);

    assertThat(proves(SignatureScheme.STRIPE, secret, sent, body, 1_492_774_577)).isTrue();
    assertThat(proves(SignatureScheme.STRIPE, secret, sent, body, 1_492_774_900)).isFalse();
    assertThat(proves(SignatureScheme.STRIPE, secret, old, body, 1_492_774_577)).isFalse();
    assertThat(proves(SignatureScheme.STRIPE, secret, Map.of(), body, 1_492_774_577)).isFalse();
  }

  @Test
  void whatIsNoSignatureProvesNothing() {
    for (var scheme : SignatureScheme.values()) {
      assertThat(proves(scheme, "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", Map.of(), "{}", 0)).isFalse();
      assertThat(scheme.claimed(headers(Map.of()))).isFalse();
      assertThat(scheme.takes(" ")).isFalse();
    }
  }
}
