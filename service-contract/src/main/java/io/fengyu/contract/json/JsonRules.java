package io.fengyu.contract.json;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import com.fasterxml.jackson.databind.type.LogicalType;
import io.quarkus.jackson.ObjectMapperCustomizer;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.function.Function;

/**
 * How all services read and write JSON: unknown fields are ignored, a value of another type is an
 * error and never converted, a key may not come twice, times have milliseconds and a Z.
 */
@Singleton
class JsonRules implements ObjectMapperCustomizer {

  @Override
  public void customize(ObjectMapper mapper) {
    mapper.configure(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, false);
    mapper.configure(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY, true);
    mapper.configure(DeserializationFeature.ACCEPT_FLOAT_AS_INT, false);
    mapper.configure(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES, false);
    mapper.configure(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION.mappedFeature(), false);
    refuse(
        mapper,
        LogicalType.Textual,
        CoercionInputShape.Integer,
        CoercionInputShape.Float,
        CoercionInputShape.Boolean);
    refuse(
        mapper,
        LogicalType.Integer,
        CoercionInputShape.String,
        CoercionInputShape.EmptyString,
        CoercionInputShape.Boolean);
    refuse(
        mapper,
        LogicalType.Float,
        CoercionInputShape.String,
        CoercionInputShape.EmptyString,
        CoercionInputShape.Boolean);
    refuse(
        mapper,
        LogicalType.Boolean,
        CoercionInputShape.String,
        CoercionInputShape.EmptyString,
        CoercionInputShape.Integer);
    mapper.registerModule(
        new SimpleModule("fengyu-times")
            .addSerializer(new Millis<>(Instant.class, time -> time))
            .addSerializer(new Millis<>(OffsetDateTime.class, OffsetDateTime::toInstant)));
  }

  /** After Jackson's own module for times, so that this one's serializer is the one in force. */
  @Override
  public int priority() {
    return MINIMUM_PRIORITY;
  }

  private static void refuse(ObjectMapper mapper, LogicalType type, CoercionInputShape... shapes) {
    for (var shape : shapes) {
      mapper.coercionConfigFor(type).setCoercion(shape, CoercionAction.Fail);
    }
  }

  private static final class Millis<T> extends StdSerializer<T> {

    private static final long serialVersionUID = 1L;

    private static final DateTimeFormatter FORMAT =
        DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    private final transient Function<T, Instant> instant;

    Millis(Class<T> type, Function<T, Instant> instant) {
      super(type);
      this.instant = instant;
    }

    @Override
    public void serialize(T time, JsonGenerator json, SerializerProvider provider)
        throws IOException {
      json.writeString(FORMAT.format(instant.apply(time)));
    }
  }
}
