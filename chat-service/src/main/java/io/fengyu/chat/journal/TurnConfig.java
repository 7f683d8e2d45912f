package io.fengyu.chat.journal;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Duration;

/** Bounds of turns and of those who read them. */
@ConfigMapping(prefix = "fengyu.turns")
public interface TurnConfig {

  /** Turns of one owner under way on all replicas; one more is refused with 429. */
  @Min(value = 1, message = "CHAT_MAX_UNFINISHED_TURNS must be 1 or more")
  @WithDefault("${CHAT_MAX_UNFINISHED_TURNS:100}")
  int unfinishedPerOwner();

  /** An approval that is not answered for so long is refused as expired. */
  @WithDefault("${CHAT_APPROVAL_TIMEOUT:5m}")
  Duration approvalTimeout();

  /** Events in one statement; what is more waits for the next. */
  @Min(1)
  @WithDefault("1000")
  int batchEvents();

  /** How long one statement of the journal may take. */
  @WithDefault("10s")
  Duration statementTimeout();

  /** Events of one turn that are kept; older ones of a longer turn go. */
  @Min(100)
  @WithDefault("10000")
  int keptEvents();

  /** Events are kept at least this long after their turn ended. */
  @WithDefault("24h")
  Duration eventRetention();

  /** A turn outside of a conversation is forgotten so long after its end. */
  @WithDefault("7d")
  Duration turnRetention();

  /** Open event streams of one owner on this replica; one more is refused. */
  @Min(1)
  @WithDefault("${SSE_STREAMS_PER_OWNER:200}")
  int streamsPerOwner();

  /** A comment is sent on a stream that was silent for so long. */
  @WithDefault("10s")
  Duration streamHeartbeat();

  /** A client that takes nothing for so long is dropped; it resumes by cursor. */
  @WithDefault("30s")
  Duration streamStall();

  /** Rounds of tool calls in one turn where the owner set no bound. */
  @Min(1)
  @Max(10_000)
  @WithDefault("200")
  int roundCeiling();

  /** Calls of one tool in one turn; more are answered with an error. */
  @Min(1)
  @WithDefault("40")
  int callsPerTool();

  /** Calls in one turn; more are answered with an error. */
  @Min(1)
  @WithDefault("150")
  int callsPerTurn();

  /** May the latest turn of a conversation be replaced by an edited one? */
  @WithDefault("${EDIT_LATEST_TURN_ENABLED:false}")
  boolean editLatest();
}
