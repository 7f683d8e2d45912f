package io.fengyu.agent.guard;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.fengyu.agent.tool.Effect;
import io.fengyu.agent.tool.ToolSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CommandTableTest {

  static final ToolSpec EXECUTE =
      new ToolSpec(
          "execute_command",
          "runs a command",
          JsonNodeFactory.instance.objectNode(),
          null,
          Effect.COMMAND,
          false,
          null,
          "execute_command",
          null,
          "1",
          null);

  /** A row of the table with the setting it stands under. */
  record Row(
      String setting, PermissionMode mode, RuleTexts rules, boolean sandbox, List<String> cells) {

    Verdict judged() {
      var guard = new Guard(owner -> RuleSet.of(rules), () -> sandbox);
      var args = JsonNodeFactory.instance.objectNode().put("command", command());
      return guard.judge(Subject.of("alice", mode), EXECUTE, args);
    }

    String command() {
      return unescaped(cells.get(2));
    }

    @Override
    public String toString() {
      return cells.get(2) + "   [" + setting + "]";
    }
  }

  static List<Row> rows() {
    var rows = new ArrayList<Row>();
    var setting = "";
    for (var line : table().lines().toList()) {
      if (line.startsWith("@")) {
        setting = line.substring(1).strip();
      } else if (!line.isBlank() && !line.startsWith("#")) {
        rows.add(row(setting, List.of(line.split("\t", 3))));
      }
    }
    return rows;
  }

  private static Row row(String setting, List<String> cells) {
    int bar = setting.indexOf('|');
    var mode = PermissionMode.of(setting.substring(0, bar).strip()).orElseThrow();
    var allow = new ArrayList<String>();
    var ask = new ArrayList<String>();
    var deny = new ArrayList<String>();
    var list = allow;
    boolean sandbox = false;
    for (var part : setting.substring(bar + 1).strip().split(", ", -1)) {
      var rule = part.strip();
      if (rule.equals("sandbox")) {
        sandbox = true;
        continue;
      }
      for (var named : List.of("allow ", "ask ", "deny ")) {
        if (rule.startsWith(named)) {
          list = named.equals("allow ") ? allow : named.equals("ask ") ? ask : deny;
          rule = rule.substring(named.length());
        }
      }
      if (!rule.isEmpty()) {
        assertThat(RuleSyntax.read(rule)).as(rule).isPresent();
        list.add(rule);
      }
    }
    return new Row(setting, mode, new RuleTexts(allow, ask, deny), sandbox, cells);
  }

  private static String table() {
    try (var in = CommandTableTest.class.getResourceAsStream("/guard/commands.tsv")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String unescaped(String cell) {
    var text = new StringBuilder();
    for (int at = 0; at < cell.length(); at++) {
      char c = cell.charAt(at);
      if (c != '\\') {
        text.append(c);
      } else if (cell.charAt(at + 1) == 'u') {
        text.append((char) Integer.parseInt(cell.substring(at + 2, at + 6), 16));
        at += 5;
      } else {
        at++;
        text.append(
            "ntr\\".indexOf(cell.charAt(at)) < 0
                ? "?"
                : "\n\t\r\\".charAt("ntr\\".indexOf(cell.charAt(at))));
      }
    }
    return text.toString();
  }

  @ParameterizedTest
  @MethodSource("rows")
  void everyRowOfTheTableIsJudgedAsItSays(Row row) {
    var verdict = row.judged();

    assertThat(verdict.decision().wire()).as(verdict.toString()).isEqualTo(row.cells().get(0));
    assertThat(verdict.reason()).contains(row.cells().get(1));
  }

  @Test
  void theTableIsLongEnoughToMeanSomething() {
    assertThat(rows()).hasSizeGreaterThan(250);
  }
}
