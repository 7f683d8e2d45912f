package io.fengyu.agent.guard;

import java.util.stream.Stream;

/** Beginnings of what a shell reads to its end, which never comes when they are repeated. */
public final class HardPieces {

  private HardPieces() {}

  public static Stream<String> all() {
    return Stream.of(
        "a;",
        "$(",
        "`",
        "\"",
        "'",
        "(",
        "{",
        "\\",
        "\n",
        "a\n",
        "<<E\n",
        "$x",
        "${",
        "${x'",
        "<(",
        "&",
        "#",
        "\\\n",
        "$'",
        ";;",
        "<<<",
        "2>",
        "cat <<A <<B\n",
        "${x:-`",
        "a b ",
        "\"$(",
        "${\"`");
  }
}
