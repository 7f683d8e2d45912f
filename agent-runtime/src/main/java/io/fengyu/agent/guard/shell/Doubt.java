package io.fengyu.agent.guard.shell;

/**
 * A reason why a command's text doesn't tell for certain what would run.
 *
 * <p>Any of them keeps allow rules from granting the command. An {@link #undecidable} one means
 * that some command may run whose name isn't in the text at all, so that no rule can be sure of it.
 */
public enum Doubt {
  SUBSTITUTION("a command substitution", false),
  EXPANSION("a parameter expansion", false),
  SUBSHELL("a subshell, function or group", false),
  NEWLINE("more than one line", false),
  UNBALANCED("quotes or brackets that are not closed", false),
  PROCESS_SUBSTITUTION("a process substitution", false),
  COMPOUND("a compound command", false),
  ODD("characters that not every shell reads alike", false),
  HIDDEN_CHARACTER("invisible, control or look-alike characters", false),
  EVALUATION("text that is evaluated as commands again", false),
  EMBEDDED("an option that runs another program", false),
  COMPUTED_NAME("a command whose name is computed", true),
  COMMANDS_FROM_INPUT("a shell that reads its commands from elsewhere", true),
  TOO_DEEP("commands nested too deeply", true),
  TOO_LONG("more text than a shell takes", true),
  TOO_MANY("more commands than anybody reads", true);

  private final String words;
  private final boolean undecidable;

  Doubt(String words, boolean undecidable) {
    this.words = words;
    this.undecidable = undecidable;
  }

  /** What it is, for people. */
  public String words() {
    return words;
  }

  /** True when a command may run that the text doesn't name. */
  public boolean undecidable() {
    return undecidable;
  }
}
