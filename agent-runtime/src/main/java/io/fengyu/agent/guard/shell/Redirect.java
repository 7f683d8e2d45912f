package io.fengyu.agent.guard.shell;

/**
 * Where a command reads from or writes to.
 *
 * @param operator without the number before it
 * @param target a file name, the number of a descriptor, or the text of a here-document or string
 */
record Redirect(String operator, String target) {

  /** True when it may create or change a file. */
  boolean writes() {
    return switch (operator) {
      case ">", ">>", ">|", "&>", "&>>", "<>" -> !harmless(target);
      case ">&" -> !target.chars().allMatch(c -> c == '-' || Character.isDigit(c));
      default -> false;
    };
  }

  /** True when it is text that stands in the command itself. */
  boolean inline() {
    return operator.equals("<<") || operator.equals("<<<");
  }

  private static boolean harmless(String target) {
    return target.equals("/dev/null")
        || target.equals("/dev/stdout")
        || target.equals("/dev/stderr")
        || target.equals("/dev/tty");
  }
}
