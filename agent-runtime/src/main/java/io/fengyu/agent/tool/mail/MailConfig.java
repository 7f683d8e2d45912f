package io.fengyu.agent.tool.mail;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Duration;
import java.util.Optional;

/** What an operator decides about mail. */
@ConfigMapping(prefix = "fengyu.mail")
interface MailConfig {

  /** {@code server} or {@code workstation}. */
  String profile();

  /** Mail servers in private networks; absent means yes on a workstation, no on a server. */
  Optional<Boolean> allowPrivate();

  /** How long a prepared sending can be confirmed. */
  @WithDefault("7d")
  Duration confirmWithin();

  /** Sendings, and tests of accounts, that talk to servers at once; others wait for their turn. */
  @Min(1)
  @Max(32)
  @WithDefault("4")
  int talks();

  /** Wait for a connection. */
  @WithDefault("10s")
  Duration connectWithin();

  /** Wait for one answer of a server. */
  @WithDefault("1m")
  Duration answerWithin();

  /** Longest talk about one mail; what was not finished by then has failed, or is unknown. */
  @WithDefault("5m")
  Duration mailWithin();

  /** How long a stopped call lets the mail that is under way come to its end. */
  @WithDefault("20s")
  Duration stopWithin();

  /** Bytes of all attachments of one mail, before they are encoded. */
  @Min(1)
  @WithDefault("26214400")
  long attachmentBytes();

  /** True when private addresses may be called. */
  default boolean privateAllowed() {
    return allowPrivate().orElse(profile().equals("workstation"));
  }
}
