package io.fengyu.agent.guard.shell;

import java.util.List;

/**
 * What a shell was told on its command line.
 *
 * @param commandFollows true when the first argument is a script itself, not the name of one
 * @param fromInput true when the script comes from the input, whatever the arguments are
 * @param rest index of the first word after the options
 */
record ShellArguments(boolean commandFollows, boolean fromInput, int rest) {

  static ShellArguments of(List<Word> words) {
    int at = 1;
    boolean commandFollows = false;
    while (at < words.size() && isOption(words.get(at).text())) {
      var option = words.get(at).text();
      commandFollows |= !option.startsWith("--") && option.startsWith("-") && option.contains("c");
      at += takesValue(option) ? 2 : 1;
    }
    boolean fromInput = at >= words.size() || words.get(1).text().startsWith("-s");
    return new ShellArguments(commandFollows, fromInput, at);
  }

  private static boolean isOption(String text) {
    return text.length() > 1 && (text.charAt(0) == '-' || text.charAt(0) == '+');
  }

  private static boolean takesValue(String option) {
    return (option.endsWith("o") && !option.startsWith("--"))
        || option.equals("-O")
        || option.equals("+O")
        || option.equals("--rcfile")
        || option.equals("--init-file");
  }
}
