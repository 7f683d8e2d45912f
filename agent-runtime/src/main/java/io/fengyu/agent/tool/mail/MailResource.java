package io.fengyu.agent.tool.mail;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.identity.Caller;
import io.smallrye.mutiny.Uni;
import jakarta.validation.constraints.NotNull;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import java.util.List;
import org.jboss.resteasy.reactive.ResponseStatus;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestQuery;

/** Lets owners keep what they send mail from and to. */
@Path("/api/mail")
public class MailResource {

  private static final int MOST_LISTED = 1_000;

  private final Accounts accounts;
  private final AccountTest test;
  private final Contacts contacts;
  private final Caller caller;

  MailResource(Accounts accounts, AccountTest test, Contacts contacts, Caller caller) {
    this.accounts = accounts;
    this.test = test;
    this.contacts = contacts;
    this.caller = caller;
  }

  @GET
  @Path("/accounts")
  public Uni<List<Account.View>> accounts() {
    return accounts.list(caller.owner());
  }

  @POST
  @Path("/accounts")
  @ResponseStatus(201)
  public Uni<Account.View> createAccount(@NotNull ObjectNode body) {
    return accounts.create(caller.owner(), body);
  }

  @PUT
  @Path("/accounts/{id}")
  public Uni<Account.View> changeAccount(@RestPath String id, @NotNull ObjectNode body) {
    return accounts.change(caller.owner(), id, body);
  }

  @DELETE
  @Path("/accounts/{id}")
  public Uni<Void> deleteAccount(@RestPath String id) {
    return accounts.delete(caller.owner(), id);
  }

  /** Connects and logs in right now; sends nothing. */
  @POST
  @Path("/accounts/{id}/test")
  public Uni<AccountTest.Result> testAccount(@RestPath String id) {
    return test.of(caller.owner(), id);
  }

  @GET
  @Path("/tags")
  public Uni<List<Tag>> tags() {
    return contacts.tags(caller.owner());
  }

  @POST
  @Path("/tags")
  @ResponseStatus(201)
  public Uni<Tag> createTag(@NotNull ObjectNode body) {
    return contacts.createTag(caller.owner(), body);
  }

  @PUT
  @Path("/tags/{id}")
  public Uni<Tag> renameTag(@RestPath String id, @NotNull ObjectNode body) {
    return contacts.renameTag(caller.owner(), id, body);
  }

  @DELETE
  @Path("/tags/{id}")
  public Uni<Void> deleteTag(@RestPath String id) {
    return contacts.deleteTag(caller.owner(), id);
  }

  /** At most a thousand at once, from {@code offset} on. */
  @GET
  @Path("/contacts")
  public Uni<List<Contact>> contacts(
      @RestQuery @DefaultValue("") String query,
      @RestQuery List<Long> tagId,
      @RestQuery @DefaultValue("0") int offset,
      @RestQuery @DefaultValue("1000") int limit) {
    return contacts
        .find(caller.owner(), query, tagId, Math.max(0, offset), Math.clamp(limit, 1, MOST_LISTED))
        .map(AddressBook.Found::contacts);
  }

  @POST
  @Path("/contacts")
  @ResponseStatus(201)
  public Uni<Contact> createContact(@NotNull ObjectNode body) {
    return contacts.createContact(caller.owner(), body);
  }

  @PUT
  @Path("/contacts/{id}")
  public Uni<Contact> changeContact(@RestPath String id, @NotNull ObjectNode body) {
    return contacts.changeContact(caller.owner(), id, body);
  }

  @DELETE
  @Path("/contacts/{id}")
  public Uni<Void> deleteContact(@RestPath String id) {
    return contacts.deleteContact(caller.owner(), id);
  }
}
