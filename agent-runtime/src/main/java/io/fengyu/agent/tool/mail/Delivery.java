package io.fengyu.agent.tool.mail;

import io.fengyu.agent.tool.ToolCall;
import io.fengyu.agent.tool.ToolException;
import io.fengyu.agent.tool.mail.Planned.Attached;
import io.fengyu.agent.tool.mail.Sending.Mail;
import io.fengyu.agent.tool.mail.Sending.State;
import io.fengyu.agent.tool.mail.smtp.Fate;
import io.fengyu.agent.tool.mail.smtp.Letter;
import io.fengyu.agent.tool.mail.smtp.Mailbox;
import io.fengyu.agent.tool.mail.smtp.NoTalkException;
import io.fengyu.contract.instance.Instances;
import io.fengyu.contract.outbound.TargetPolicy.TargetRefusedException;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Sends what was confirmed. The sending is claimed before the first word to a server, each mail is
 * written down as intended before it is handed over and settled after, so that no mail is ever
 * handed over twice, and none is forgotten.
 */
@ApplicationScoped
class Delivery {

  private static final Logger LOG = Logger.getLogger(Delivery.class);
  private static final String STOPPED = "the sending was stopped before";

  private final SendStore store;
  private final AccountStore accounts;
  private final Talks talks;
  private final FrozenFiles files;
  private final ActiveClaims active;
  private final Instances instances;
  private final Clock clock;

  Delivery(
      SendStore store,
      AccountStore accounts,
      Talks talks,
      FrozenFiles files,
      ActiveClaims active,
      Instances instances,
      Clock clock) {
    this.store = store;
    this.accounts = accounts;
    this.talks = talks;
    this.files = files;
    this.active = active;
    this.instances = instances;
    this.clock = clock;
  }

  /** Sends it, unless that was done, is being done, or must not be done any more. */
  void send(ToolCall call, UUID id) throws ToolException, InterruptedException {
    if (!instances.alive()) {
      throw new ToolException("nothing can be sent right now: try again in a moment");
    }
    var claim = UUID.randomUUID();
    active.add(claim);
    try {
      if (store.claim(id, call.owner(), claim)) {
        sendClaimed(call, id, claim);
      }
    } finally {
      active.remove(claim);
    }
  }

  private void sendClaimed(ToolCall call, UUID id, UUID claim)
      throws ToolException, InterruptedException {
    String obstacle = "the program could not go on";
    try {
      var sending = store.find(id, call.owner());
      obstacle = sending == null ? "it is gone" : obstacle(call, sending, claim);
    } catch (InterruptedException stopped) {
      obstacle = STOPPED;
      throw stopped;
    } finally {
      store.finish(id, claim, obstacle);
    }
  }

  /** Null when every mail had its turn. */
  private @Nullable String obstacle(ToolCall call, Sending sending, UUID claim)
      throws InterruptedException {
    Path copies = null;
    try {
      var mailbox = mailbox(call.owner(), sending);
      copies = Files.createTempDirectory(Files.createDirectories(call.state()), "mail-");
      var enclosed = thawed(sending, copies);
      if (call.cancelled().getAsBoolean()) {
        return STOPPED;
      }
      return talks
          .lead(mailbox, line -> new Round(call, sending, claim, enclosed).say(line))
          .orElse(null);
    } catch (ToolException | NoTalkException | TargetRefusedException refused) {
      return refused.getMessage();
    } catch (IOException broken) {
      LOG.warn("Attachments could not be copied", broken);
      return "the attachments could not be copied";
    } finally {
      remove(copies);
    }
  }

  private Mailbox mailbox(String owner, Sending sending)
      throws ToolException, TargetRefusedException, InterruptedException {
    var account =
        accounts.find(owner, sending.accountId()).await().atMost(Ids.PATIENCE).orElse(null);
    if (account == null || !account.email().equals(sending.sender().email())) {
      throw new ToolException("the account was deleted or got another address since");
    }
    return talks.mailbox(account);
  }

  /** All files of all mails, or none of the mails goes out. */
  private Map<Attached, Path> thawed(Sending sending, Path copies)
      throws ToolException, IOException {
    var enclosed = new HashMap<Attached, Path>();
    for (var mail : sending.mails()) {
      for (var attached :
          mail.state() == State.PREPARED ? mail.planned().attachments() : List.<Attached>of()) {
        if (!enclosed.containsKey(attached)) {
          var copy = copies.resolve(Integer.toString(enclosed.size()));
          files.thaw(attached, copy);
          enclosed.put(attached, copy);
        }
      }
    }
    return enclosed;
  }

  private static void remove(@Nullable Path copies) {
    if (copies == null) {
      return;
    }
    try (var all = Files.list(copies)) {
      for (var copy : all.toList()) {
        Files.delete(copy);
      }
      Files.delete(copies);
    } catch (IOException left) {
      LOG.warnf("Copies of attachments are left in %s: %s", copies, left.getMessage());
    }
  }

  /** One mail after the other over one talk. */
  private final class Round {

    private final ToolCall call;
    private final Sending sending;
    private final UUID claim;
    private final Map<Attached, Path> enclosed;

    Round(ToolCall call, Sending sending, UUID claim, Map<Attached, Path> enclosed) {
      this.call = call;
      this.sending = sending;
      this.claim = claim;
      this.enclosed = enclosed;
    }

    /** What kept mails from having their turn. */
    Optional<String> say(Talks.Line line) throws NoTalkException {
      for (var mail : sending.mails()) {
        if (mail.state() != State.PREPARED) {
          continue;
        }
        if (line.stopped() || call.cancelled().getAsBoolean()) {
          return Optional.of(STOPPED);
        }
        line.next();
        line.talk().open();
        if (!store.intend(sending.id(), mail.n(), claim)) {
          return Optional.of("another call has taken it over");
        }
        settle(mail, line.talk().send(letter(mail)));
      }
      return Optional.empty();
    }

    private void settle(Mail mail, Fate fate) {
      switch (fate) {
        case Fate.Accepted(var refused) -> settle(mail, State.ACCEPTED, null, refused);
        case Fate.Failed(var why) -> settle(mail, State.FAILED, why, List.of());
        case Fate.Unknown(var why) -> settle(mail, State.UNKNOWN, why, List.of());
      }
    }

    private void settle(Mail mail, State state, @Nullable String why, List<String> refused) {
      store.settle(sending.id(), mail.n(), claim, state, why, refused);
    }

    private Letter letter(Mail mail) {
      var planned = mail.planned();
      return new Letter(
          sending.messageId(mail),
          person(sending.sender()),
          people(planned.to()),
          people(planned.cc()),
          people(planned.bcc()),
          sending.text().subject(),
          sending.text().plain(),
          sending.text().html(),
          planned.attachments().stream()
              .map(file -> new Letter.Enclosure(file.name(), copy(file)))
              .toList(),
          clock.instant());
    }

    private Path copy(Attached attached) {
      var copy = enclosed.get(attached);
      if (copy == null) {
        throw new IllegalStateException("an attachment was not copied");
      }
      return copy;
    }

    private static List<Letter.Person> people(List<Address> addresses) {
      return addresses.stream().map(Round::person).toList();
    }

    private static Letter.Person person(Address address) {
      return new Letter.Person(address.name(), address.email());
    }
  }
}
