package io.fengyu.agent.history;

import io.fengyu.agent.journal.RunProblems;

/** Reads the numbers of list requests. */
final class Numbers {

  private static final int LARGEST_PAGE = 500;

  private Numbers() {}

  /** 1 to 500; more is as much as there is to have. */
  static int limit(String text) {
    var limit = number("limit", text);
    if (limit < 1) {
      throw RunProblems.parameterInvalid("limit");
    }
    return (int) Math.min(LARGEST_PAGE, limit);
  }

  /** Any number; whether it is a place in the stream is told by the stream. */
  static long cursor(String text) {
    try {
      return Long.parseLong(text.strip());
    } catch (NumberFormatException noNumber) {
      return Long.MIN_VALUE;
    }
  }

  private static long number(String name, String text) {
    try {
      return Long.parseLong(text.strip());
    } catch (NumberFormatException noNumber) {
      throw RunProblems.parameterInvalid(name);
    }
  }
}
