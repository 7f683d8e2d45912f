package io.fengyu.agent.tool.mail.smtp;

import java.util.List;

/** What is known of one mail after the talk about it. */
public sealed interface Fate {

  /**
   * The server has taken it.
   *
   * @param refused recipients it did not take it for
   */
  record Accepted(List<String> refused) implements Fate {}

  /** The server has not taken it, and never will. */
  record Failed(String why) implements Fate {}

  /** All of it was handed over, but what the server made of it was not heard. */
  record Unknown(String why) implements Fate {}
}
