package io.fengyu.agent.tool.mail;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A prepared sending and what is known of its mails.
 *
 * @param state as stored
 * @param expired true when it was not confirmed in time
 * @param held true when it is being sent by a process that lives
 * @param error what kept all of it from being sent; null for nothing
 */
record Sending(
    UUID id,
    long accountId,
    Address sender,
    Text text,
    String state,
    boolean expired,
    boolean held,
    @Nullable String error,
    Instant expiresAt,
    List<Mail> mails) {

  /** How far a mail has come. */
  enum State {
    /** Nothing was begun. */
    PREPARED,
    /** It may be with the server by now. */
    INTENDED,
    ACCEPTED,
    FAILED,
    /** It may have arrived, or not; it is not sent again. */
    UNKNOWN,
    /** The sending ended before it was its turn. */
    STOPPED
  }

  /**
   * One of its mails.
   *
   * @param refused recipients it was not taken for, while others get it
   */
  record Mail(int n, Planned planned, State state, @Nullable String error, List<String> refused) {

    /** An outcome that was written down, or that nobody will write down any more. */
    boolean unknown(boolean held) {
      return state == State.UNKNOWN || (state == State.INTENDED && !held);
    }

    List<String> notReached() {
      return switch (state) {
        case FAILED, STOPPED -> planned.recipients();
        default -> refused;
      };
    }
  }

  /** The same for one mail whenever it is meant. */
  String messageId(Mail mail) {
    return id + "." + mail.n() + sender.email().substring(sender.email().lastIndexOf('@'));
  }

  String status() {
    return switch (state) {
      case "prepared" -> expired ? "EXPIRED" : "PENDING";
      case "rejected" -> "REJECTED";
      case "sending" -> held ? "SENDING" : "INTERRUPTED";
      default -> outcome();
    };
  }

  private String outcome() {
    if (unknown() > 0) {
      return "UNKNOWN";
    }
    if (succeeded() == 0) {
      return "FAILED";
    }
    return succeeded() == mails.size() && failedRecipients().isEmpty()
        ? "COMPLETED"
        : "PARTIAL_FAILED";
  }

  int succeeded() {
    return count(State.ACCEPTED);
  }

  int failed() {
    return count(State.FAILED) + count(State.STOPPED);
  }

  int unknown() {
    return (int) mails.stream().filter(mail -> mail.unknown(held)).count();
  }

  private int count(State wanted) {
    return (int) mails.stream().filter(mail -> mail.state() == wanted).count();
  }

  /** Who certainly gets nothing. */
  List<String> failedRecipients() {
    return mails.stream().flatMap(mail -> mail.notReached().stream()).distinct().toList();
  }

  /** Who may have got it. */
  List<String> unknownRecipients() {
    return mails.stream()
        .filter(mail -> mail.unknown(held))
        .flatMap(mail -> mail.planned().recipients().stream())
        .distinct()
        .toList();
  }

  /** The first reasons why something was not sent. */
  List<String> errors() {
    return Stream.concat(Stream.ofNullable(error), mails.stream().map(Mail::error))
        .filter(why -> why != null && !why.isEmpty())
        .distinct()
        .limit(3)
        .toList();
  }
}
