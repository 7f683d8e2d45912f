package io.fengyu.agent.approval;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The frames of an inbox stream, a page at a time. */
@ApplicationScoped
class InboxPages {

  private static final int PAGE = 100;

  private final Inbox inbox;
  private final InboxLog log;
  private final ObjectMapper json;

  InboxPages(Inbox inbox, InboxLog log, ObjectMapper json) {
    this.inbox = inbox;
    this.log = log;
    this.json = json;
  }

  /**
   * Some frames, ready to be sent.
   *
   * @param next where the page after it begins
   * @param last true when nothing more is there right now
   */
  record Frames(String text, InboxPlace next, boolean last) {}

  /** Where a reader of this cursor has to begin; null for a reader who knows nothing. */
  Uni<InboxPlace> begin(String owner, @Nullable Long cursor) {
    return log.bounds(owner)
        .map(
            bounds ->
                cursor != null && bounds.holds(cursor)
                    ? InboxPlace.behind(cursor)
                    : InboxPlace.fresh(bounds.last()));
  }

  Uni<Frames> read(String owner, InboxPlace place) {
    return place.listing() == null
        ? events(owner, place.position())
        : listing(owner, place, place.listing());
  }

  // What is open as of the beginning. Only the frame after all of them has a number: whoever is
  // cut off earlier begins anew.
  private Uni<Frames> listing(String owner, InboxPlace place, GateCursor after) {
    return inbox.page(owner, after, PAGE).map(page -> listed(place, page));
  }

  private Frames listed(InboxPlace place, Inbox.Page page) {
    var text = new StringBuilder();
    if (place.first()) {
      frame(text, null, "snapshot", object().put("cursor", place.position()));
    }
    page.gates().forEach(gate -> frame(text, null, "opened", json.valueToTree(gate)));
    if (page.next() == null) {
      var ready = object().put("cursor", place.position());
      frame(text, place.position(), "ready", ready);
      return new Frames(text.toString(), InboxPlace.behind(place.position()), false);
    }
    return new Frames(text.toString(), place.on(GateCursor.of(page.next())), false);
  }

  private Uni<Frames> events(String owner, long position) {
    return log.after(owner, position, PAGE)
        .chain(events -> open(owner, events).map(open -> frames(position, events, open)));
  }

  private Uni<Map<String, OpenGate>> open(String owner, List<InboxEvent> events) {
    var subjects =
        events.stream()
            .filter(InboxEvent::opening)
            .collect(
                Collectors.groupingBy(
                    InboxEvent::source,
                    Collectors.mapping(InboxEvent::subject, Collectors.toList())));
    var all = new HashMap<String, OpenGate>();
    var reads = new ArrayList<Uni<Map<String, OpenGate>>>();
    subjects.forEach((source, of) -> reads.add(inbox.openAt(owner, source, of)));
    if (reads.isEmpty()) {
      return Uni.createFrom().item(all);
    }
    return Uni.join()
        .all(reads)
        .andFailFast()
        .map(
            maps -> {
              maps.forEach(all::putAll);
              return all;
            });
  }

  private Frames frames(long position, List<InboxEvent> events, Map<String, OpenGate> open) {
    var text = new StringBuilder();
    var last = position;
    for (var event : events) {
      last = event.position();
      frame(text, last, event.type(), data(event, open.get(event.gateId())));
    }
    return new Frames(text.toString(), InboxPlace.behind(last), events.isEmpty());
  }

  /** An opening whose gate is closed again is told without its content; its closing follows. */
  private ObjectNode data(InboxEvent event, @Nullable OpenGate gate) {
    if (event.opening() && gate != null) {
      return json.valueToTree(gate);
    }
    var data = object().put("gateId", event.gateId()).put("source", event.source());
    data.put(event.source().equals("chat") ? "streamId" : "runId", event.subject());
    data.set(event.opening() ? "openedAt" : "closedAt", json.valueToTree(event.at()));
    return event.opening() ? data : data.put("outcome", event.outcome());
  }

  private ObjectNode object() {
    return json.createObjectNode();
  }

  private void frame(StringBuilder text, @Nullable Long id, String type, ObjectNode data) {
    if (id != null) {
      text.append("id: ").append(id).append('\n');
      data.put("seq", id);
    }
    text.append("event: ").append(type).append("\ndata: ").append(line(data)).append("\n\n");
  }

  private String line(ObjectNode data) {
    try {
      return json.writeValueAsString(data);
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
