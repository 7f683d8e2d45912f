package io.fengyu.agent.tool.mail;

import io.fengyu.agent.tool.mail.smtp.NoTalkException;
import io.fengyu.contract.outbound.TargetPolicy.TargetRefusedException;
import io.quarkus.virtual.threads.VirtualThreads;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/** Finds out whether an account can be used, without sending anything. */
@ApplicationScoped
class AccountTest {

  private final Accounts accounts;
  private final Talks talks;
  private final ExecutorService threads;

  AccountTest(Accounts accounts, Talks talks, @VirtualThreads ExecutorService threads) {
    this.accounts = accounts;
    this.talks = talks;
    this.threads = threads;
  }

  /**
   * How it went.
   *
   * @param error null when it went well
   */
  public record Result(boolean ok, @Nullable String error, long durationMs) {}

  Uni<Result> of(String owner, String id) {
    return accounts.find(owner, id).emitOn(threads).map(this::tried);
  }

  private Result tried(Account account) {
    long started = System.nanoTime();
    var error = error(account);
    return new Result(error == null, error, (System.nanoTime() - started) / 1_000_000);
  }

  private @Nullable String error(Account account) {
    try {
      return talks.lead(talks.mailbox(account), AccountTest::opened).orElse(null);
    } catch (NoTalkException | TargetRefusedException refused) {
      return refused.getMessage();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return "the test was stopped";
    }
  }

  private static Optional<String> opened(Talks.Line line) throws NoTalkException {
    line.talk().open();
    return Optional.empty();
  }
}
