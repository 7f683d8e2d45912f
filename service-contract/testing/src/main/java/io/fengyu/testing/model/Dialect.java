package io.fengyu.testing.model;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/** How one provider writes an answer; an object lives as long as one answer. */
interface Dialect {

  ObjectMapper JSON = new ObjectMapper();

  /** Media type of a stream. */
  String mediaType();

  /** What comes before the first part. */
  String opening();

  /** The bytes of a part; empty when it leaves no trace in this protocol. */
  String frame(Part part);

  /** What comes after the last part of a stream that ends in order. */
  String closing();

  /** The body of an HTTP failure. */
  ObjectNode failure(Part.Failure failure);

  /** The body of an answer that was not asked to be streamed. */
  ObjectNode whole(Iterable<Part> parts);

  /** The protocol that the path belongs to; null for none. */
  static @Nullable Dialect of(RecordedRequest request) {
    var path = request.path();
    if (path.endsWith("/chat/completions")) {
      return new OpenAiDialect(request.model());
    }
    if (path.endsWith("/messages")) {
      return new AnthropicDialect(request.model());
    }
    return path.endsWith("/api/chat") ? new OllamaDialect(request.model()) : null;
  }
}
