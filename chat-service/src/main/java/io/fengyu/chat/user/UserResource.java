package io.fengyu.chat.user;

import io.smallrye.mutiny.Uni;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jboss.resteasy.reactive.ResponseStatus;
import org.jboss.resteasy.reactive.RestQuery;
import org.jspecify.annotations.Nullable;

/** Makes owners and their tokens; for administrators only. */
@Path("/api/admin/users")
public class UserResource {

  private final Users users;
  private final UserTokens tokens;

  UserResource(Users users, UserTokens tokens) {
    this.users = users;
    this.tokens = tokens;
  }

  /** A new owner; {@code displayName} is the id and {@code role} is {@code user} when left out. */
  public record NewUser(
      @NotNull @Pattern(regexp = "[A-Za-z0-9][A-Za-z0-9._@-]{0,63}") String id,
      @Nullable @Size(min = 1, max = 200) String displayName,
      @Nullable @Pattern(regexp = "user|admin") String role) {}

  /** A new token; without {@code expiresAt} it does not expire. */
  public record NewToken(@Nullable @Size(max = 200) String label, @Nullable Instant expiresAt) {}

  /** The one answer that holds the token. */
  public record CreatedToken(UUID tokenId, String token) {}

  /**
   * A page of owners.
   *
   * @param nextCursor of the following page; null on the last one
   */
  public record UserPage(List<User> users, @Nullable String nextCursor) {}

  /** The tokens of one owner. */
  public record TokenList(List<UserToken> tokens) {}

  /** Makes an owner. */
  @POST
  @ResponseStatus(201)
  public Uni<User> create(@NotNull @Valid NewUser body) {
    return users.create(
        body.id(),
        Objects.requireNonNullElse(body.displayName(), body.id()),
        Objects.requireNonNullElse(body.role(), "user"));
  }

  /** Lists owners by id. */
  @GET
  public Uni<UserPage> list(
      @RestQuery @DefaultValue("100") @Min(1) @Max(1000) int limit,
      @RestQuery @DefaultValue("") String cursor) {
    return users.list(cursor, limit).map(page -> page(page, limit));
  }

  /** Ends an owner's access; every token with it. */
  @DELETE
  @Path("/{id}")
  public Uni<Void> delete(String id) {
    return users.delete(id);
  }

  /** Gives an owner a token and shows it, once. */
  @POST
  @Path("/{id}/tokens")
  @ResponseStatus(201)
  public Uni<CreatedToken> createToken(String id, @NotNull @Valid NewToken body) {
    return tokens
        .create(id, Objects.requireNonNullElse(body.label(), ""), body.expiresAt())
        .map(created -> new CreatedToken(created.tokenId(), created.token()));
  }

  /** Lists an owner's tokens without their values. */
  @GET
  @Path("/{id}/tokens")
  public Uni<TokenList> listTokens(String id) {
    return tokens.list(id).map(TokenList::new);
  }

  /** Takes a token back. */
  @DELETE
  @Path("/{id}/tokens/{tokenId}")
  public Uni<Void> deleteToken(String id, UUID tokenId) {
    return tokens.delete(id, tokenId);
  }

  private static UserPage page(List<User> users, int limit) {
    return new UserPage(users, users.size() < limit ? null : users.getLast().id());
  }
}
