package io.fengyu.chat.conversation;

import com.fasterxml.jackson.databind.JsonNode;
import io.fengyu.contract.identity.Caller;
import io.smallrye.mutiny.Uni;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Size;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.UriInfo;
import java.util.List;
import org.jboss.resteasy.reactive.RestHeader;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.RestResponse;
import org.jboss.resteasy.reactive.RestResponse.ResponseBuilder;
import org.jspecify.annotations.Nullable;

/** Stored conversations of an owner. */
@Path("/api/ai/conversations")
public class ConversationResource {

  private final Conversations conversations;
  private final ConversationList list;
  private final Caller caller;

  ConversationResource(Conversations conversations, ConversationList list, Caller caller) {
    this.conversations = conversations;
    this.list = list;
    this.caller = caller;
  }

  /**
   * Lists conversations, the one that changed last first.
   *
   * @param query what title or messages contain; empty for all
   * @param cursor {@code X-Next-Cursor} of the page before
   */
  @GET
  public Uni<RestResponse<List<ConversationList.Summary>>> list(
      @RestQuery @DefaultValue("") @Size(max = 200) String query,
      @RestQuery @Nullable String cursor,
      @RestQuery @DefaultValue("100") @Min(1) @Max(500) int limit,
      @Context UriInfo uri) {
    var words = query.replace("\0", "").strip();
    return list.page(caller.owner(), words, ListCursor.read(cursor), limit)
        .map(page -> answer(page, uri));
  }

  /** Stores a conversation. */
  @POST
  public Uni<RestResponse<Conversation>> create(@Nullable JsonNode body) {
    return conversations.create(caller.owner(), Draft.read(body)).map(ConversationResource::answer);
  }

  /** A conversation with what was said, and its entity tag. */
  @GET
  @Path("/{id}")
  public Uni<RestResponse<Conversation>> get(String id) {
    return conversations.get(caller.owner(), id).map(ConversationResource::answer);
  }

  /** Replaces title and messages; with {@code If-Match}, only if nobody changed them meanwhile. */
  @PUT
  @Path("/{id}")
  public Uni<RestResponse<Conversation>> replace(
      String id, @Nullable JsonNode body, @RestHeader("If-Match") @Nullable String expected) {
    return conversations
        .replace(caller.owner(), id, Revisions.read(expected), Draft.read(body))
        .map(ConversationResource::answer);
  }

  /** Deletes a conversation and all that belongs to it; what runs in it is stopped. */
  @DELETE
  @Path("/{id}")
  public Uni<Void> delete(String id) {
    return conversations.delete(caller.owner(), id);
  }

  private static RestResponse<Conversation> answer(Conversation conversation) {
    return ResponseBuilder.ok(conversation)
        .header("ETag", Revisions.tag(conversation.revision()))
        .build();
  }

  private static RestResponse<List<ConversationList.Summary>> answer(
      ConversationList.Page page, UriInfo uri) {
    var answer = ResponseBuilder.ok(page.items());
    return page.next() == null
        ? answer.build()
        : answer
            .header("X-Next-Cursor", page.next())
            .header("Link", "<" + next(uri, page.next()) + ">; rel=\"next\"")
            .build();
  }

  // A path without host: behind the edge, this service does not know its own address.
  private static String next(UriInfo uri, String cursor) {
    var next = uri.getRequestUriBuilder().replaceQueryParam("cursor", cursor).build();
    return next.getRawPath() + "?" + next.getRawQuery();
  }
}
