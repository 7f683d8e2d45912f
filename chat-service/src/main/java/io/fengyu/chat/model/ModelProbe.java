package io.fengyu.chat.model;

import com.fasterxml.jackson.databind.JsonNode;
import io.smallrye.mutiny.Uni;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import jakarta.enterprise.context.ApplicationScoped;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Asks a provider which models it has: proves address and key and costs nothing. A provider without
 * such a list is asked for one token instead.
 */
@ApplicationScoped
public class ModelProbe {

  /**
   * What came of it.
   *
   * @param note a warning after success, otherwise what went wrong
   */
  public record Result(boolean success, @Nullable String note) {}

  private record Reply(int status, String body) {}

  private static final int LONGEST_LIST = 4 * 1024 * 1024;

  private final ModelHttp http;
  private final EndpointPolicy policy;

  ModelProbe(ModelHttp http, EndpointPolicy policy) {
    this.http = http;
    this.policy = policy;
  }

  /** Never fails; over within the limits of a connection test. */
  public Uni<Result> answer(Backend backend) {
    var protocol = Protocol.of(backend.mode());
    return policy
        .addresses(backend.baseUrl())
        .chain(addresses -> list(backend, protocol, addresses.getFirst()))
        .ifNoItem()
        .after(http.limits().probeTimeout())
        .failWith(
            () -> ModelFailure.lasting(ErrorCode.NETWORK, "The provider did not answer in time"))
        .onFailure()
        .recoverWithItem(
            failure ->
                new Result(
                    false,
                    KeyMask.clean(
                        ModelHttp.failure(backend.baseUrl(), failure).text(), backend.apiKey())));
  }

  private Uni<Result> list(Backend backend, Protocol protocol, SocketAddress address) {
    var url = protocol.models(backend);
    var options = ModelHttp.request(HttpMethod.GET, url, address, protocol.headers(backend));
    return send(url, options, null)
        .chain(
            reply ->
                reply.status == 404 || reply.status == 405 || reply.status == 501
                    ? oneToken(backend, protocol, address)
                    : Uni.createFrom().item(listed(backend, reply)));
  }

  private static Result listed(Backend backend, Reply reply) {
    var list = Json.tryRead(reply.body);
    if (reply.status != 200) {
      throw ProviderErrors.ofStatus(reply.status, reply.body, null);
    }
    if (list.isEmpty()) {
      throw ModelFailure.lasting(
          ErrorCode.UNKNOWN, "The address answers, but not like a model provider");
    }
    return offers(list.get(), backend.model())
        ? new Result(true, null)
        : new Result(true, "The provider does not list the model " + backend.model());
  }

  private static boolean offers(JsonNode list, String model) {
    for (var member : List.of("data", "models")) {
      for (var entry : list.path(member)) {
        var name = entry.path("id").asText(entry.path("name").asText());
        if (name.equals(model) || name.equals(model + ":latest")) {
          return true;
        }
      }
    }
    return false;
  }

  private Uni<Result> oneToken(Backend backend, Protocol protocol, SocketAddress address) {
    var url = protocol.chat(backend);
    var request = ModelRequest.plain(null, List.of(ModelMessage.user("Hi")));
    var json = protocol.body(backend, request, java.util.Set.of("stream_options"));
    var body = Buffer.buffer(json.put("stream", false).toString());
    return send(url, ModelHttp.post(url, address, protocol.headers(backend), body), body)
        .map(
            reply -> {
              if (reply.status != 200) {
                throw ProviderErrors.ofStatus(reply.status, reply.body, null);
              }
              return new Result(true, null);
            });
  }

  private Uni<Reply> send(URI url, RequestOptions options, @Nullable Buffer body) {
    options.setTimeout(http.limits().probeTimeout().toMillis());
    return Uni.createFrom()
        .emitter(
            emitter -> {
              var sent =
                  http.client()
                      .request(options)
                      .onSuccess(request -> emitter.onTermination(request::reset))
                      .compose(request -> body == null ? request.send() : request.send(body));
              sent.onFailure(cause -> emitter.fail(ModelHttp.failure(url, cause)));
              sent.onSuccess(
                  answer ->
                      new WholeBody(
                              answer,
                              LONGEST_LIST,
                              text -> emitter.complete(new Reply(answer.statusCode(), text)))
                          .read());
            });
  }
}
