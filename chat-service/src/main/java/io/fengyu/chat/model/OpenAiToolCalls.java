package io.fengyu.chat.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tells which call a fragment belongs to. By the rules the index says so; servers exist that leave
 * it out, give 0 to every call, repeat the id with every fragment, give no id, or send the name
 * after the first arguments.
 */
final class OpenAiToolCalls {

  private static final int NOT_STARTED = -1;

  /** A call as this provider numbers it. */
  private static final class Known {
    final int theirIndex;
    @Nullable String id;
    int index = NOT_STARTED;
    final StringBuilder early = new StringBuilder();

    Known(int theirIndex, @Nullable String id) {
      this.theirIndex = theirIndex;
      this.id = id;
    }
  }

  private static final int NO_INDEX = -1;

  private final Answering answering;
  private final List<Known> calls = new ArrayList<>();

  OpenAiToolCalls(Answering answering) {
    this.answering = answering;
  }

  void fragment(JsonNode fragment) {
    var function = fragment.path("function");
    var id = nonEmpty(Json.text(fragment, "id"));
    var name = nonEmpty(Json.text(function, "name"));
    var call = owner(fragment.path("index").asInt(NO_INDEX), id, name);
    if (call.id == null) {
      call.id = id;
    }
    start(call, name);
    arguments(call, Json.raw(function.get("arguments")));
  }

  private Known owner(int index, @Nullable String id, @Nullable String name) {
    var known = index == NO_INDEX ? withoutIndex(id, name) : withIndex(index, id);
    if (known != null) {
      return known;
    }
    if (id == null && name == null) {
      throw ModelFailure.lasting(
          ErrorCode.UNKNOWN, "The provider sent arguments of a tool call that never began");
    }
    var opened = new Known(index, id);
    calls.add(opened);
    return opened;
  }

  // The same index with another id is another call.
  private @Nullable Known withIndex(int index, @Nullable String id) {
    for (var call : calls.reversed()) {
      if (call.theirIndex == index) {
        var same = id == null || call.id == null || call.id.equals(id);
        if (same) {
          return call;
        }
        if (id != null) {
          return byId(index, id);
        }
      }
    }
    return null;
  }

  private @Nullable Known byId(int index, String id) {
    for (var call : calls) {
      if (call.theirIndex == index && id.equals(call.id)) {
        return call;
      }
    }
    return null;
  }

  private @Nullable Known withoutIndex(@Nullable String id, @Nullable String name) {
    if (id != null) {
      return byId(NO_INDEX, id);
    }
    return name == null && !calls.isEmpty() ? calls.getLast() : null;
  }

  private void start(Known call, @Nullable String name) {
    if (call.index == NOT_STARTED && name != null) {
      call.index = answering.startCall(call.id, name);
      answering.callArguments(call.index, call.early.toString());
    }
  }

  private void arguments(Known call, String fragment) {
    if (call.index == NOT_STARTED) {
      call.early.append(fragment);
      if (call.early.length() > LineReader.LONGEST_LINE) {
        throw ModelFailure.lasting(ErrorCode.UNKNOWN, "The provider never named a tool call");
      }
    } else {
      answering.callArguments(call.index, fragment);
    }
  }

  private static @Nullable String nonEmpty(@Nullable String text) {
    return text == null || text.isBlank() ? null : text;
  }
}
