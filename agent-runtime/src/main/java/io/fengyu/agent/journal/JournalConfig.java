package io.fengyu.agent.journal;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.Min;
import java.time.Duration;

/** Bounds of the journal and of those who read it. */
@ConfigMapping(prefix = "fengyu.journal")
public interface JournalConfig {

  /** How long this process may be silent before another one declares its runs interrupted. */
  @WithDefault("${LEASE_TTL:20s}")
  Duration leaseTtl();

  /** Pause between renewals, while runs are executed. */
  @WithDefault("${HEARTBEAT_INTERVAL:5s}")
  Duration heartbeat();

  /** Events in one statement; what is more waits for the next. */
  @Min(1)
  @WithDefault("1000")
  int batchEvents();

  /** Characters in one statement; a single larger append travels alone. */
  @Min(1024)
  @WithDefault("2097152")
  int batchChars();

  /** Characters queued in memory, past which those who append are held back. */
  @Min(1024)
  @WithDefault("16777216")
  long backlogChars();

  /** How long one statement may take before its connection is given up. */
  @WithDefault("10s")
  Duration statementTimeout();

  /** Events are kept at least this long after their run ended. */
  @WithDefault("${AGENT_EVENT_RETENTION:7d}")
  Duration eventRetention();

  /** Open event streams of one owner on this replica; one more is refused. */
  @Min(1)
  @WithDefault("${SSE_STREAMS_PER_OWNER:200}")
  int streamsPerOwner();

  /** A comment is sent on a stream that was silent for so long. */
  @WithDefault("12s")
  Duration streamHeartbeat();

  /** A client that takes nothing for so long is dropped; it resumes by cursor. */
  @WithDefault("30s")
  Duration streamStall();

  /** Where runs whose end cannot be stored are kept until it can. */
  @WithDefault("${DATA_DIR:./data}")
  String dataDir();
}
