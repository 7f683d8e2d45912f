package io.fengyu.agent.guard;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.guard.Verdict.Decision;
import io.fengyu.agent.guard.Verdict.Stage;
import io.fengyu.agent.tool.Effect;
import io.fengyu.agent.tool.ToolSpec;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GuardTest {

  private static final PermissionMode ASK = PermissionMode.ASK_FOR_APPROVAL;
  private static final PermissionMode APPROVE = PermissionMode.APPROVE_FOR_ME;
  private static final PermissionMode FULL = PermissionMode.FULL_ACCESS;

  private List<String> allow = List.of();
  private List<String> ask = List.of();
  private List<String> deny = List.of();

  private Verdict judge(Subject subject, ToolSpec tool, ObjectNode args) {
    var rules = RuleSet.of(new RuleTexts(allow, ask, deny));
    return new Guard(owner -> rules, () -> true).judge(subject, tool, args);
  }

  private Decision decision(PermissionMode mode, ToolSpec tool) {
    return judge(Subject.of("alice", mode), tool, args()).decision();
  }

  private static ObjectNode args() {
    return JsonNodeFactory.instance.objectNode();
  }

  private static ToolSpec tool(String name, Effect effect, @Nullable String plugin) {
    return new ToolSpec(name, name, args(), null, effect, false, null, name, plugin, "1", null);
  }

  private static ToolSpec tool(String name, Effect effect) {
    return tool(name, effect, null);
  }

  @Test
  void theModeDecidesByTheEffect() {
    for (var mode : PermissionMode.values()) {
      assertThat(decision(mode, tool("t", Effect.READ))).isEqualTo(Decision.ALLOW);
      assertThat(decision(mode, tool("t", Effect.EXTERNAL)))
          .isEqualTo(mode == FULL ? Decision.ALLOW : Decision.ASK);
      assertThat(decision(mode, tool("t", Effect.WRITE)))
          .isEqualTo(mode == ASK ? Decision.ASK : Decision.ALLOW);
      assertThat(decision(mode, tool("t", Effect.COMMAND)))
          .isEqualTo(mode == FULL ? Decision.ALLOW : Decision.ASK);
    }
  }

  @Test
  void theCompanysOwnGraphToolsAreAskedAboutByNameAndLookalikesByEffect() {
    for (var mode : List.of(ASK, PermissionMode.APPROVE_FOR_ME)) {
      assertThat(decision(mode, graph("mcp-internal:g:train", Effect.WRITE, "mcp")))
          .isEqualTo(Decision.ALLOW);
      assertThat(decision(mode, graph("mcp-internal:g:clear_graph", Effect.READ, "mcp")))
          .isEqualTo(Decision.ASK);
      assertThat(decision(mode, graph("mcp-internal:g:drop", Effect.EXTERNAL, "mcp")))
          .isEqualTo(Decision.ASK);
      assertThat(decision(mode, graph("mcp:g:train", Effect.EXTERNAL, "mcp")))
          .isEqualTo(Decision.ASK);
      assertThat(decision(mode, graph("mcp-internal:g:train", Effect.EXTERNAL, "mcp-internal")))
          .isEqualTo(Decision.ASK);
    }
    assertThat(decision(FULL, graph("mcp-internal:g:clear_graph", Effect.EXTERNAL, "mcp")))
        .isEqualTo(Decision.ALLOW);
    ask = List.of("Tool");
    assertThat(decision(ASK, graph("mcp-internal:g:train", Effect.WRITE, "mcp")))
        .isEqualTo(Decision.ASK);
  }

  private static ToolSpec graph(String id, Effect effect, String plugin) {
    return new ToolSpec("g__x", "", args(), null, effect, false, null, id, plugin, "1", null);
  }

  @Test
  void workThatMayOnlyReadIsDeniedEverythingElseInEveryMode() {
    for (var mode : PermissionMode.values()) {
      var subject = Subject.of("alice", mode).readingOnly(true);
      var verdict = judge(subject, tool("t", Effect.WRITE), args());
      assertThat(verdict.denies()).isTrue();
      assertThat(verdict.stage()).isEqualTo(Stage.FENCE);
      assertThat(judge(subject, tool("t", Effect.READ), args()).decision())
          .isEqualTo(Decision.ALLOW);
    }
  }

  @Test
  void rulesAboutToolsEffectsAndServersMatchWhatTheyName() {
    var excel = tool("excel_query", Effect.WRITE, "fan.summer.excel");
    var issues = tool("github__list", Effect.EXTERNAL, "mcp");
    var lookalike = tool("github__list", Effect.EXTERNAL, "some.plugin");
    for (var rule : List.of("Tool(excel_*)", "Tool(EXCEL_?uery)", "excel_query", "Effect(write)")) {
      deny = List.of(rule);
      assertThat(decision(FULL, excel)).as(rule).isEqualTo(Decision.DENY);
      assertThat(decision(FULL, issues)).as(rule).isEqualTo(Decision.ALLOW);
    }
    for (var rule : List.of("Mcp(github__*)", "mcp__github", "mcp__github__list", "Mcp")) {
      deny = List.of(rule);
      assertThat(decision(FULL, issues)).as(rule).isEqualTo(Decision.DENY);
      assertThat(decision(FULL, lookalike)).as(rule).isEqualTo(Decision.ALLOW);
      assertThat(decision(FULL, excel)).as(rule).isEqualTo(Decision.ALLOW);
    }
  }

  @Test
  void denyBeatsAskAndAskBeatsAllow() {
    var tool = tool("t", Effect.READ);
    allow = List.of("t");
    ask = List.of("t");
    assertThat(decision(FULL, tool)).isEqualTo(Decision.ASK);
    deny = List.of("Tool");
    assertThat(decision(FULL, tool)).isEqualTo(Decision.DENY);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://example.com/x",
        "http://EXAMPLE.com:8080",
        "https://www.example.com.",
        "https://user:pw@example.com/",
        "https://example.com\\@other.org/",
        "https://other.org\\@example.com/",
        "https:example.com",
        "https:///example.com",
        "example.com/x",
        " https://a.b.example.com#f"
      })
  void aDeniedDomainIsDeniedHoweverItIsWritten(String url) {
    deny = List.of("WebFetch(domain:example.com)");
    for (var name : List.of("web_fetch", "browser_navigate", "browser_new_tab")) {
      var verdict =
          judge(Subject.of("alice", FULL), tool(name, Effect.READ), args().put("url", url));
      assertThat(verdict.denies()).as(name).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://notexample.com",
        "https://example.com.evil.org",
        "https://example.com@evil.org/",
        "https://evil.org/?q=example.com",
        "https://evil.org\\.example.com",
        "https://evil.org\\@example.com",
        "https://example.com\\@evil.org",
        "//example.com",
        "example.com",
        ""
      })
  void anAllowedDomainAllowsNoOther(String url) {
    allow = List.of("WebFetch(domain:example.com)");
    var navigate = tool("browser_navigate", Effect.EXTERNAL);
    assertThat(judge(Subject.of("alice", ASK), navigate, args().put("url", url)).decision())
        .isEqualTo(Decision.ASK);
    assertThat(
            judge(Subject.of("alice", ASK), navigate, args().put("url", "https://a.example.com/"))
                .decision())
        .isEqualTo(Decision.ALLOW);
  }

  @Test
  void aSearchIsAboutTheSitesItNames() {
    deny = List.of("WebFetch(domain:example.com)");
    var search = tool("web_search", Effect.READ);
    for (var query :
        List.of("site:example.com x", "x (SITE:www.example.com)", "https://example.com")) {
      assertThat(judge(Subject.of("a", FULL), search, args().put("query", query)).denies())
          .as(query)
          .isTrue();
    }
    assertThat(judge(Subject.of("a", FULL), search, args().put("query", "example.com")).denies())
        .isFalse();
  }

  @Test
  void insideACallThatWasPermittedNobodyIsAsked() {
    var inner = Subject.of("alice", ASK).inherited();
    assertThat(judge(inner, tool("t", Effect.EXTERNAL), args()).decision())
        .isEqualTo(Decision.ALLOW);

    ask = List.of("Tool(careful)");
    var asked = judge(inner, tool("careful", Effect.READ), args());
    assertThat(asked.denies()).isTrue();
    assertThat(asked.reason()).contains("needs approval").contains("ask rule Tool(careful)");

    var dangerous = judge(inner, CommandTableTest.EXECUTE, args().put("command", "rm x"));
    assertThat(dangerous.denies()).isTrue();
    assertThat(dangerous.reason()).contains("needs approval").contains("rm");

    deny = List.of("Effect(external)");
    assertThat(judge(inner, tool("t", Effect.EXTERNAL), args()).denies()).isTrue();
  }

  @Test
  void anUntrustedPlaceOrTheNetworkMakesACommandRisky() {
    var subject = Subject.of("alice", APPROVE).in(Path.of("/srv/alice"));
    var command = args().put("command", "ls");
    assertThat(judge(subject, CommandTableTest.EXECUTE, command).decision())
        .isEqualTo(Decision.ALLOW);
    for (var directory : List.of("sub", "/srv/alice", "/srv/alice/sub")) {
      var placed = command.deepCopy().put("workingDirectory", directory);
      assertThat(judge(subject, CommandTableTest.EXECUTE, placed).decision())
          .as(directory)
          .isEqualTo(Decision.ALLOW);
    }
    for (var directory : List.of("/", "/srv/alices", "..", "a/../..", "~", "/srv/alice/../x")) {
      var placed = command.deepCopy().put("workingDirectory", directory);
      assertThat(judge(subject, CommandTableTest.EXECUTE, placed).decision())
          .as(directory)
          .isEqualTo(Decision.ASK);
    }
    assertThat(
            judge(subject, CommandTableTest.EXECUTE, command.deepCopy().put("allowNetwork", true))
                .decision())
        .isEqualTo(Decision.ASK);
  }

  @Test
  void rulesThatCannotBeReadDeny() {
    var guard =
        new Guard(
            owner -> {
              throw new IllegalStateException("away");
            },
            () -> true);
    var verdict = guard.judge(Subject.of("alice", FULL), tool("t", Effect.READ), args());
    assertThat(verdict.denies()).isTrue();
    assertThat(verdict.reason()).doesNotContain("away");
  }

  @Test
  void theWorkingDirectoryCountsForTheHardFloor() {
    var args = args().put("command", "rm -rf *").put("workingDirectory", "/");
    assertThat(judge(Subject.of("a", FULL), CommandTableTest.EXECUTE, args).denies()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Command()",
        "Command(",
        "Command(x",
        "Tool()",
        "Tool(a b)",
        "Effect(reads)",
        "Nope(x)",
        "WebFetch(example.com)",
        "WebFetch(domain:)",
        "WebFetch(domain:a/b)",
        "Mcp(a b)",
        "a b",
        "Effect",
        "Command(:*)",
        "*",
        "(x)",
        "x\ny"
      })
  void whatIsNoRuleIsNotRead(String text) {
    assertThat(RuleSyntax.read(text)).isEmpty();
  }
}
