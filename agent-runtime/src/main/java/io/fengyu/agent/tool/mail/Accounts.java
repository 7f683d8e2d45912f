package io.fengyu.agent.tool.mail;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.contract.outbound.TargetPolicy;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.net.IDN;
import java.net.URI;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Accounts as their owners configure them. */
@ApplicationScoped
class Accounts {

  private static final int MOST = 50;
  private static final int LONGEST_HOST = 253;
  private static final int LONGEST_SECRET = 1024;
  private static final List<String> SECURITY = List.of("none", "starttls", "tls");
  private static final Pattern HOST =
      Pattern.compile("[A-Za-z0-9_]([A-Za-z0-9_.-]*[A-Za-z0-9])?|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*");

  private final AccountStore store;
  private final Passwords passwords;
  private final TargetPolicy targets;
  private final MailConfig config;

  Accounts(AccountStore store, Passwords passwords, TargetPolicy targets, MailConfig config) {
    this.store = store;
    this.passwords = passwords;
    this.targets = targets;
    this.config = config;
  }

  Uni<List<Account.View>> list(String owner) {
    return store.list(owner).map(all -> all.stream().map(this::view).toList());
  }

  Uni<Account> find(String owner, String id) {
    return store
        .find(owner, number(id))
        .map(found -> found.orElseThrow(MailProblems::accountNotFound));
  }

  Uni<Account.View> create(String owner, ObjectNode request) {
    var body = new Body(request);
    var account =
        read(body, new Account(0, owner, UUID.randomUUID(), "", "", "", 0, "", null, null), true);
    var sealed = passwords.seal(account, body.exact("password", LONGEST_SECRET, null));
    return store.create(sealed, MOST).map(this::view);
  }

  Uni<Account.View> change(String owner, String id, ObjectNode request) {
    return find(owner, id)
        .chain(before -> store.change(changed(before, new Body(request)), before))
        .map(this::view);
  }

  Uni<Void> delete(String owner, String id) {
    return store
        .delete(owner, number(id))
        .invoke(
            gone -> {
              if (!gone) {
                throw MailProblems.accountNotFound();
              }
            })
        .replaceWithVoid();
  }

  Account.View view(Account account) {
    return new Account.View(
        account.id(),
        account.displayName(),
        account.email(),
        account.host(),
        account.port(),
        account.security(),
        account.username(),
        passwords.open(account) != null);
  }

  // The password belongs to the host it was entered for: whoever names another host enters it
  // again.
  private Account changed(Account before, Body body) {
    var account = read(body, before, false);
    if (body.has("password")) {
      return passwords.seal(account, body.exact("password", LONGEST_SECRET, null));
    }
    return account.host().equals(before.host()) ? account : account.sealed(null);
  }

  private Account read(Body body, Account known, boolean fresh) {
    var email = body.email(fresh ? null : known.email());
    var security = body.oneOf("security", SECURITY, fresh ? "starttls" : known.security());
    var account =
        new Account(
            known.id(),
            known.owner(),
            known.secretKey(),
            body.line("displayName", 200, fresh ? email : known.displayName()),
            email,
            host(body.line("host", LONGEST_HOST, fresh ? null : known.host())),
            body.port(fresh ? usualPort(security) : known.port()),
            security,
            body.exact("username", LONGEST_SECRET, known.username()),
            known.sealed());
    refuseForbidden(account);
    return account;
  }

  private void refuseForbidden(Account account) {
    var literal = account.host().contains(":") ? "[" + account.host() + "]" : account.host();
    if (!account.host().contains("_")
        && targets.refusesLiterally(
            URI.create("http://" + literal + ":" + account.port()), config.privateAllowed())) {
      throw MailProblems.addressRefused(account.host());
    }
  }

  private static String host(String text) {
    try {
      var ascii = text.contains(":") ? text : IDN.toASCII(text);
      if (HOST.matcher(ascii).matches()) {
        return ascii;
      }
    } catch (IllegalArgumentException none) {
      throw MailProblems.invalid("host", "the name or address of a mail server");
    }
    throw MailProblems.invalid("host", "the name or address of a mail server");
  }

  private static int usualPort(String security) {
    return switch (security) {
      case "tls" -> 465;
      case "starttls" -> 587;
      default -> 25;
    };
  }

  private static long number(String id) {
    var number = Ids.number(id);
    if (number == null) {
      throw MailProblems.accountNotFound();
    }
    return number;
  }

  /** The password, and its seal renewed where the key has changed; null for none. */
  @Nullable String password(Account account) {
    var password = passwords.open(account);
    var sealed = account.sealed();
    if (password != null && sealed != null && passwords.outdated(account)) {
      store.reseal(passwords.seal(account, password), sealed).await().atMost(Ids.PATIENCE);
    }
    return password;
  }
}
