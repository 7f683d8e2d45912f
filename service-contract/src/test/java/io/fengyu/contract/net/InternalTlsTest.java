package io.fengyu.contract.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerOptions;
import java.net.URI;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class InternalTlsTest {

  private static final String SECRET = "one-secret-0123456789abcdef012345";
  private static final String OTHER = "two-secret-0123456789abcdef012345";
  private static final Vertx VERTX = Vertx.vertx();

  @AfterAll
  static void close() {
    VERTX.close();
  }

  @Test
  void whoKnowsTheSecretIsBelieved() throws Exception {
    assertThat(call(List.of(SECRET), listenerOf(SECRET))).isEqualTo("served over https");
  }

  @Test
  void theFormerSecretIsBelievedWhileItIsChanged() throws Exception {
    assertThat(call(List.of(OTHER, SECRET), listenerOf(SECRET))).isEqualTo("served over https");
  }

  @Test
  void anyOtherListenerIsRefused() throws Exception {
    var stranger = listenerOf(OTHER);

    assertThatThrownBy(() -> call(List.of(SECRET), stranger))
        .hasCauseInstanceOf(SSLException.class)
        .hasStackTraceContaining("not one of these services'");
  }

  @Test
  void addressesBecomeEncryptedOnesOnlyWhenItIsOn() {
    var peer = URI.create("http://10.0.0.7:8082/internal/x?a=b");

    assertThat(new InternalTls(true, List.of(SECRET)).address(peer))
        .hasToString("https://10.0.0.7:8082/internal/x?a=b");
    assertThat(new InternalTls(false, List.of()).address(peer)).isEqualTo(peer);
  }

  private static int listenerOf(String secret) throws Exception {
    var options = new HttpServerOptions();
    new InternalTls(true, List.of(secret)).listen(options);
    return done(VERTX
            .createHttpServer(options)
            .requestHandler(r -> r.response().end("served over " + r.scheme()))
            .listen(0, "127.0.0.1"))
        .actualPort();
  }

  private static String call(List<String> secrets, int port) throws Exception {
    var client =
        VERTX.createHttpClient(
            new InternalTls(true, secrets).call(new HttpClientOptions().setSsl(true)));
    return done(client
            .request(HttpMethod.GET, port, "127.0.0.1", "/")
            .compose(HttpClientRequest::send)
            .compose(HttpClientResponse::body))
        .toString();
  }

  private static <T> T done(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
  }
}
