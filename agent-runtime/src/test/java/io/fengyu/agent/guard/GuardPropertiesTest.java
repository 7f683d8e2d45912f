package io.fengyu.agent.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.fengyu.agent.guard.shell.ShellText;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What must hold for any text; a failure prints the text, and the seed is fixed. */
class GuardPropertiesTest {

  private static final List<String> PIECES =
      List.of(
          "git status",
          "git status",
          "git",
          "status",
          "evil",
          "evil",
          "ls",
          "x",
          "-s",
          "\"",
          "'",
          "\"",
          "'",
          ";",
          "&&",
          "||",
          "|",
          "&",
          "\n",
          "(",
          ")",
          "$(",
          ")",
          "`",
          "`",
          "\\",
          "#",
          "$",
          "${x}",
          "$x",
          "x=evil",
          "x=git",
          "<<E\n",
          "\nE\n",
          "<<<",
          "{",
          "}",
          "{git,status}",
          ">f",
          ">>f",
          "2>&1",
          "<f",
          "&>f",
          "<(",
          "!",
          "env",
          "nice",
          "nohup",
          "timeout 5",
          "command",
          "exec",
          "sh -c",
          "bash -c",
          "eval",
          "xargs",
          "if",
          "then",
          "fi",
          "cat",
          "\t",
          " ",
          "  ",
          "$'",
          "$\"",
          "\\\n",
          "evil\n",
          "\u200b",
          "\u00a0",
          "*",
          "=",
          "-",
          "--",
          "A=1",
          "LANG=C",
          "PATH=.",
          "alias",
          "builtin",
          "time",
          "trap",
          "f()",
          ":",
          "true",
          "[",
          "]",
          "~",
          "./git");

  private static final RuleTexts STATUS =
      new RuleTexts(List.of("Command(git status)"), List.of(), List.of());
  private static final RuleTexts NO_EVIL =
      new RuleTexts(List.of(), List.of(), List.of("Command(evil)"));

  @TempDir Path folder;

  private static String text(Random random) {
    var text = new StringBuilder(random.nextInt(3) == 0 ? "" : "git status ");
    int pieces = 1 + random.nextInt(9);
    for (int i = 0; i < pieces; i++) {
      text.append(PIECES.get(random.nextInt(PIECES.size())));
      if (random.nextInt(3) > 0) {
        text.append(' ');
      }
    }
    return text.toString();
  }

  private static Verdict judge(PermissionMode mode, RuleTexts rules, String command) {
    var guard = new Guard(owner -> RuleSet.of(rules), () -> true);
    var args = JsonNodeFactory.instance.objectNode().put("command", command);
    return guard.judge(Subject.of("alice", mode), CommandTableTest.EXECUTE, args);
  }

  @Test
  void whatAnAllowRuleGrantsRunsNothingElseInARealShell() throws IOException {
    var shell = new RealShell(folder);
    var random = new Random(20261130);
    int granted = 0;
    for (int i = 0; i < 200_000 && granted < 60; i++) {
      var text = text(random);
      if (judge(PermissionMode.ASK_FOR_APPROVAL, STATUS, text).decision()
          == Verdict.Decision.ALLOW) {
        granted++;
        for (var name : List.of("sh", "bash")) {
          assertThat(shell.calls(name, text))
              .as(name + " of seed 20261130: " + text)
              .allSatisfy(call -> assertThat(call).matches("(?s)git status( .*)?"));
        }
      }
    }
    assertThat(granted).isEqualTo(60);
  }

  @Test
  void whatARealShellRunsIsNeverHiddenFromADenyRule() throws IOException {
    var shell = new RealShell(folder);
    var random = new Random(4711);
    int ran = 0;
    for (int i = 0; i < 5_000 && ran < 25; i++) {
      var text = text(random);
      if (!text.contains("evil")) {
        continue;
      }
      var calls = shell.calls(i % 2 == 0 ? "sh" : "bash", text);
      if (calls.stream().anyMatch(call -> call.equals("evil") || call.startsWith("evil "))) {
        ran++;
        assertThat(judge(PermissionMode.FULL_ACCESS, NO_EVIL, text).decision())
            .as("seed 4711: " + text)
            .isNotEqualTo(Verdict.Decision.ALLOW);
      }
    }
    assertThat(ran).isGreaterThan(15);
  }

  @Test
  void noRuleAndNoModeWeakensADenial() {
    var random = new Random(99);
    var wide =
        new RuleTexts(
            List.of("Command", "Tool(*)", "Effect(command)", "Command(*)", "Command(evil)"),
            List.of("Command(evil)"),
            NO_EVIL.deny());
    int denied = 0;
    for (int i = 0; i < 8_000; i++) {
      var text = text(random);
      if (judge(PermissionMode.ASK_FOR_APPROVAL, NO_EVIL, text).denies()) {
        denied++;
        for (var mode : PermissionMode.values()) {
          assertThat(judge(mode, wide, text).denies()).as(text).isTrue();
        }
      }
    }
    assertThat(denied).isGreaterThan(300);
  }

  @Test
  void commandsAroundItDoNotWeakenADenial() {
    var random = new Random(7);
    for (int i = 0; i < 2_000; i++) {
      var around = text(random).replaceAll("[\"'`\\\\(){}#<$]", "");
      for (var text : List.of("evil x;" + around, around + "\nevil x", "ls $(evil x) " + around)) {
        assertThat(judge(PermissionMode.FULL_ACCESS, NO_EVIL, text).denies()).as(text).isTrue();
      }
    }
  }

  @Test
  void anyTextHasAReading() {
    var random = new Random(1);
    for (int i = 0; i < 20_000; i++) {
      var text = new StringBuilder();
      for (int n = random.nextInt(24); n > 0; n--) {
        text.append(random.nextInt(4) == 0 ? (char) random.nextInt(0x2100) : ascii(random));
      }
      assertThat(ShellText.read(text.toString(), null)).isNotNull();
    }
  }

  private static char ascii(Random random) {
    var shell = "$(){}`\"'\\;&|<>\n #=*?[]~!aE0-/";
    return shell.charAt(random.nextInt(shell.length()));
  }

  private static Stream<String> pieces() {
    var ofCommands =
        Stream.of(
            "a ",
            "env ",
            "sh -c '",
            "eval \"",
            "x=y;$x ",
            "a=b ",
            "{a,b}",
            "find -exec {} ",
            "git -c a=b ",
            "rm -rf ",
            "xargs ");
    return Stream.concat(HardPieces.all(), ofCommands);
  }

  @ParameterizedTest
  @MethodSource("pieces")
  void hostileTextIsReadInAMomentAndDeniedOrAskedAbout(String piece) {
    for (int length : new int[] {ShellText.LONGEST, 1_000_000}) {
      var text = piece.repeat(length / piece.length());
      assertTimeoutPreemptively(
          Duration.ofSeconds(60), () -> ShellText.read("git status " + text, null));
    }
    var megabyte = "evil " + piece.repeat(1_000_000 / piece.length());
    assertThat(judge(PermissionMode.FULL_ACCESS, NO_EVIL, megabyte).denies()).isTrue();
  }

  @Test
  void noPaddingHidesACommandFromADenyRule() {
    for (var piece : List.of("a;", "a\n", ":&", "a|", "$(a)", "`a`", "a&&")) {
      var text = piece.repeat(100_000 / piece.length()) + "\nevil x";
      assertThat(judge(PermissionMode.FULL_ACCESS, NO_EVIL, text).denies()).as(piece).isTrue();
    }
  }

  @Test
  void readingTakesTimeInProportionToTheLength() {
    var slow = new ArrayList<String>();
    for (var piece : List.of("a;", "\n", "$x ", "${'", "env ", "a\n", "x=y;$x ", "<<E\n")) {
      long small = nanos(piece.repeat(8_000 / piece.length()));
      long large = nanos(piece.repeat(128_000 / piece.length()));
      if (large > 16 * 8 * Math.max(small, 1_000_000)) {
        slow.add(piece + ": " + small + " ns, sixteen times as long: " + large + " ns");
      }
    }
    assertThat(slow).isEmpty();
  }

  private static long nanos(String text) {
    long best = Long.MAX_VALUE;
    for (int i = 0; i < 3; i++) {
      long start = System.nanoTime();
      ShellText.read(text, null);
      best = Math.min(best, System.nanoTime() - start);
    }
    return best;
  }
}
