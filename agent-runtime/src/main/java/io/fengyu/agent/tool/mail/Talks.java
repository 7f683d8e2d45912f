package io.fengyu.agent.tool.mail;

import io.fengyu.agent.tool.mail.smtp.Mailbox;
import io.fengyu.agent.tool.mail.smtp.NoTalkException;
import io.fengyu.agent.tool.mail.smtp.SmtpSettings;
import io.fengyu.agent.tool.mail.smtp.SmtpTalk;
import io.fengyu.contract.outbound.TargetPolicy;
import io.fengyu.contract.outbound.TargetPolicy.TargetRefusedException;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/** Talks with mail servers: few at once, each on a thread of its own, none without an end. */
@ApplicationScoped
class Talks {

  private static final long LOOK_MS = 200;
  private static final long HUNG_UP_WITHIN_MS = 10_000;

  private final TargetPolicy targets;
  private final Accounts accounts;
  private final MailConfig config;
  private final Semaphore turns;

  Talks(TargetPolicy targets, Accounts accounts, MailConfig config) {
    this.targets = targets;
    this.accounts = accounts;
    this.config = config;
    this.turns = new Semaphore(config.talks(), true);
  }

  /** What is said in a talk. */
  interface Work<T> {
    T with(Line line) throws NoTalkException;
  }

  /** The open talk, as the one who leads it sees it. */
  interface Line {

    SmtpTalk talk();

    /** Grants the time of one more mail. */
    void next();

    /** True when nothing more is to be begun. */
    boolean stopped();
  }

  /** The server of an account; its addresses are looked up and checked now. */
  Mailbox mailbox(Account account) throws TargetRefusedException, InterruptedException {
    return new Mailbox(
        account.host(),
        targets.addresses(account.host(), account.port(), config.privateAllowed()),
        Mailbox.Security.valueOf(account.security().toUpperCase(Locale.ROOT)),
        account.username(),
        accounts.password(account));
  }

  /**
   * Leads a talk and waits for its end, which does not depend on the server.
   *
   * @throws InterruptedException when the caller was stopped; what was begun has ended by then
   */
  <T> T lead(Mailbox mailbox, Work<T> work) throws NoTalkException, InterruptedException {
    turns.acquire();
    try {
      return new Led<T>(mailbox).wait(work);
    } finally {
      turns.release();
    }
  }

  private final class Led<T> implements Line {

    private final Mailbox mailbox;
    private final CompletableFuture<T> end = new CompletableFuture<>();
    private volatile @Nullable SmtpTalk talk;
    private volatile long deadline = limit();
    private volatile boolean stopped;

    Led(Mailbox mailbox) {
      this.mailbox = mailbox;
    }

    // The library holds monitors while it waits, so its thread is none of the virtual ones.
    T wait(Work<T> work) throws NoTalkException, InterruptedException {
      Thread.ofPlatform().daemon().name("mail-talk").start(() -> speak(work));
      while (true) {
        try {
          return end.get(LOOK_MS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException notYet) {
          if (System.nanoTime() > deadline) {
            hangUp();
          }
        } catch (InterruptedException stop) {
          conclude();
          throw stop;
        } catch (ExecutionException failed) {
          throw thrown(failed.getCause());
        }
      }
    }

    private static NoTalkException thrown(@Nullable Throwable cause) {
      return switch (cause) {
        case NoTalkException none -> none;
        case RuntimeException mistake -> throw mistake;
        case Error fatal -> throw fatal;
        case null, default -> throw new IllegalStateException(cause);
      };
    }

    private void speak(Work<T> work) {
      // The library finds its parts by the loader of the thread.
      Thread.currentThread().setContextClassLoader(SmtpTalk.class.getClassLoader());
      var trusted = (SSLSocketFactory) SSLSocketFactory.getDefault();
      var settings = new SmtpSettings(config.connectWithin(), config.answerWithin(), trusted);
      try (var open = new SmtpTalk(mailbox, settings)) {
        talk = open;
        end.complete(work.with(this));
      } catch (NoTalkException | RuntimeException | Error failed) {
        end.completeExceptionally(failed);
      }
    }

    /** Lets the mail under way come to its end, but not for ever. */
    private void conclude() {
      stopped = true;
      if (!over(config.stopWithin().toMillis())) {
        hangUp();
        over(HUNG_UP_WITHIN_MS);
      }
    }

    private boolean over(long withinMs) {
      long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(withinMs);
      while (!end.isDone() && System.nanoTime() < until) {
        try {
          end.get(LOOK_MS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException | InterruptedException again) {
          stopped = true;
        } catch (ExecutionException failed) {
          return true;
        }
      }
      return end.isDone();
    }

    private void hangUp() {
      var open = talk;
      if (open != null) {
        open.hangUp();
      }
    }

    private long limit() {
      return System.nanoTime() + config.mailWithin().toNanos();
    }

    @Override
    public SmtpTalk talk() {
      var open = talk;
      if (open == null) {
        throw new IllegalStateException("the talk has not begun");
      }
      return open;
    }

    @Override
    public void next() {
      deadline = limit();
    }

    @Override
    public boolean stopped() {
      return stopped;
    }
  }
}
