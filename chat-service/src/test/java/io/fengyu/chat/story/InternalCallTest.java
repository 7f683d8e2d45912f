package io.fengyu.chat.story;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fengyu.contract.client.InternalCall;
import io.fengyu.contract.client.InternalClient;
import io.fengyu.contract.client.Service;
import io.fengyu.contract.problem.ProblemException;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@QuarkusTest
class InternalCallTest {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @Inject InternalClient client;
  @Inject Vertx vertx;
  @Inject ObjectMapper json;

  private final Queue<Integer> statuses = new ConcurrentLinkedQueue<>();
  private final Queue<HttpServerRequest> received = new ConcurrentLinkedQueue<>();
  private HttpServer server;

  @BeforeEach
  void startPeer() throws ExecutionException, InterruptedException, TimeoutException {
    server =
        vertx
            .createHttpServer()
            .requestHandler(this::answer)
            .listen(0, "127.0.0.1")
            .toCompletionStage()
            .toCompletableFuture()
            .get(10, TimeUnit.SECONDS);
    peers("http://127.0.0.1:" + server.actualPort());
  }

  @AfterEach
  void stopPeer() throws ExecutionException, InterruptedException, TimeoutException {
    server.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
  }

  @Test
  void theSecretAndTheIdentityTravelInHeaders() {
    var answer = send(client.get(Service.WEBHOOK, "/x").as("alice").run("r1").query("q", "a b"));

    assertThat(answer).isEqualTo(200);
    var request = received.element();
    assertThat(request.getHeader("X-Internal-Secret")).startsWith("test-internal-secret");
    assertThat(request.getHeader("X-User-ID")).isEqualTo("alice");
    assertThat(request.getHeader("X-Run-ID")).isEqualTo("r1");
    assertThat(request.getParam("q")).isEqualTo("a b");
  }

  @Test
  void aReadIsTriedThreeTimes() {
    statuses.addAll(List.of(503, 502, 200));

    assertThat(send(client.get(Service.WEBHOOK, "/x"))).isEqualTo(200);
    assertThat(received).hasSize(3);
  }

  @Test
  void aWriteIsNeverRepeatedWithoutAnOperationId() {
    statuses.addAll(List.of(503, 200));

    assertThatThrownBy(() -> send(client.post(Service.WEBHOOK, "/x").json(json.createObjectNode())))
        .isInstanceOf(ProblemException.class);
    assertThat(received).hasSize(1);
  }

  @Test
  void aWriteWithAnOperationIdIsRepeatedWithTheSameId() {
    statuses.addAll(List.of(503, 200));

    var call = client.post(Service.WEBHOOK, "/x").operation("op-1").json(json.createObjectNode());

    assertThat(send(call)).isEqualTo(200);
    assertThat(received)
        .extracting(request -> request.getHeader("X-Operation-ID"))
        .containsExactly("op-1", "op-1");
  }

  @Test
  void theCalleesProblemIsPassedOnInItsOwnWords() {
    statuses.add(409);

    assertThatThrownBy(() -> send(client.post(Service.WEBHOOK, "/x")))
        .isInstanceOfSatisfying(
            ProblemException.class,
            failure -> {
              var problem = failure.problem();
              assertThat(problem.status()).isEqualTo(409);
              assertThat(problem.code()).isEqualTo("PEER_SAYS_NO");
              assertThat(problem.params()).containsKey("why");
              assertThat(problem.members().get("title")).hasToString("\"No\"");
            });
  }

  @Test
  void aReplicaThatIsDownIsPassedOver() throws IOException {
    peers("http://127.0.0.1:" + closedPort(), "http://127.0.0.1:" + server.actualPort());

    for (var i = 0; i < 4; i++) {
      assertThat(send(client.post(Service.WEBHOOK, "/x"))).isEqualTo(200);
    }
  }

  @Test
  void newAddressesAreCalledAtOnceThoughTheOldOnesFailedForLong() throws IOException {
    peers("http://127.0.0.1:" + closedPort());
    for (var i = 0; i < 50; i++) {
      assertThatThrownBy(() -> send(client.post(Service.WEBHOOK, "/x")))
          .isInstanceOf(ProblemException.class);
    }

    peers("http://127.0.0.1:" + server.actualPort());

    assertThat(send(client.post(Service.WEBHOOK, "/x"))).isEqualTo(200);
  }

  @Test
  void nobodyThereIsAProblemThatSaysNothingArrived() throws IOException {
    peers("http://127.0.0.1:" + closedPort());

    assertThatThrownBy(() -> send(client.post(Service.WEBHOOK, "/x")))
        .isInstanceOfSatisfying(
            ProblemException.class,
            failure -> {
              var problem = failure.problem();
              assertThat(problem.code()).isEqualTo("DEPENDENCY_UNAVAILABLE");
              assertThat(problem.params())
                  .containsEntry("service", "webhook-gateway")
                  .containsEntry("outcome", "none");
            });
  }

  private static int send(InternalCall call) {
    return call.send().await().atMost(PATIENCE).status();
  }

  private void answer(HttpServerRequest request) {
    received.add(request);
    var status = statuses.isEmpty() ? 200 : statuses.remove();
    var body =
        status == 200
            ? "{}"
            : "{\"code\":\"PEER_SAYS_NO\",\"title\":\"No\",\"params\":{\"why\":1}}";
    request.response().setStatusCode(status).end(body);
  }

  private static void peers(String... addresses) {
    As.service()
        .body(Map.of("webhook-gateway", List.of(addresses)))
        .put("/internal/peers")
        .then()
        .statusCode(204);
  }

  private static int closedPort() throws IOException {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
