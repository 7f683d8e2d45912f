package io.fengyu.agent.guard.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ShellLexerTest {

  private final List<SimpleCommand> commands = new ArrayList<>();
  private final EnumSet<Doubt> doubts = EnumSet.noneOf(Doubt.class);

  private List<String> raw(String script) {
    ShellLexer.read(script, 0, commands, doubts);
    return commands.stream().map(SimpleCommand::raw).toList();
  }

  @ParameterizedTest
  @MethodSource("io.fengyu.agent.guard.HardPieces#all")
  void aMegabyteIsReadToItsEnd(String piece) {
    var text = piece.repeat(1_000_000 / piece.length());

    assertTimeoutPreemptively(Duration.ofSeconds(60), () -> raw(text));

    assertThat(commands).hasSizeLessThanOrEqualTo(ShellLexer.MOST_COMMANDS);
  }

  @Test
  void aChainIsCutAtItsOperatorsOutsideOfQuotes() {
    assertThat(raw("a && b 'c;d' || e | f;g & h"))
        .containsExactly("a", "b 'c;d'", "e", "f", "g", "h");
    assertThat(doubts).isEmpty();
    assertThat(commands.get(3).piped()).isTrue();
  }

  @Test
  void commandsInsideOthersAreFound() {
    assertThat(raw("a \"$(b `c`)\" <(d) ${x:-$(e)}")).contains("b `c`", "c", "d", "e");
  }

  @Test
  void aHereDocumentIsNoCommandButItsExpansionsAre() {
    assertThat(raw("cat <<E; b\nrm x $(c)\nE\nd")).containsExactly("cat <<E", "b", "c", "d");
    commands.clear();
    assertThat(raw("cat <<'E'\n$(c)\nE")).containsExactly("cat <<'E'");
  }

  @Test
  void redirectionsAreNoWords() {
    raw("a >b 2>&1 <c d");
    assertThat(commands.getFirst().words()).extracting(Word::text).containsExactly("a", "d");
    assertThat(commands.getFirst().redirects())
        .containsExactly(new Redirect(">", "b"), new Redirect(">&", "1"), new Redirect("<", "c"));
  }
}
