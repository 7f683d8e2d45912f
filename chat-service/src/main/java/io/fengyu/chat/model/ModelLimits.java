package io.fengyu.chat.model;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Duration;

/** Bounds of every conversation with a provider. */
@ConfigMapping(prefix = "fengyu.model")
public interface ModelLimits {

  /** Then the attempt failed and may be repeated. */
  @WithDefault("10s")
  Duration connectTimeout();

  /** From sending the request to the first event; a local model may have to be loaded first. */
  @WithDefault("120s")
  Duration firstTokenTimeout();

  /** Between two reads while more is expected; keep-alives count, a slow reader does not. */
  @WithDefault("60s")
  Duration idleTimeout();

  /** From sending the request to the end of the answer. */
  @WithDefault("15m")
  Duration totalTimeout();

  /** Further attempts after the first, while nothing was passed on. */
  @WithDefault("2")
  @Min(0)
  @Max(10)
  int retries();

  /** Before the first repetition; doubles with each. */
  @WithDefault("500ms")
  Duration retryDelay();

  /** Longest wait before a repetition; a provider that asks for more ends the request. */
  @WithDefault("4s")
  Duration maxRetryDelay();

  /** Characters of an answer, thinking and arguments included; then it fails. */
  @WithDefault("16777216")
  @Min(1024)
  int answerChars();

  /** Open requests of one process, all owners together; past it a caller gets 429. */
  @WithDefault("128")
  @Min(1)
  int streams();

  /** Open requests of one owner in one process; past it the owner gets 429. */
  @WithDefault("32")
  @Min(1)
  int streamsPerOwner();

  /** Chat turns of one process, all owners together; past it a caller gets 429. */
  @WithDefault("2048")
  @Min(1)
  int turns();

  /** A silent stream to another service says at least this often that it lives. */
  @WithDefault("10s")
  Duration heartbeat();

  /** From accepting a connection test to its answer. */
  @WithDefault("15s")
  Duration probeTimeout();
}
