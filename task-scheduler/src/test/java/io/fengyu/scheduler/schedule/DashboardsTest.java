package io.fengyu.scheduler.schedule;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What is shipped for operators speaks of series that this service has. */
@QuarkusTest
class DashboardsTest {

  private static final Path SHIPPED = Path.of("..", "deploy", "dashboards");
  private static final Pattern SERIES = Pattern.compile("(?<![:\\w])fengyu_[a-z0-9_]+");
  private static final Pattern PRIORITY = Pattern.compile("priority=\"([a-z]+)\"");

  private static Set<String> named(String text) {
    var names = new TreeSet<String>();
    SERIES.matcher(text).results().forEach(found -> names.add(found.group()));
    return names;
  }

  @Test
  void everySeriesExists() throws IOException {
    var exported = named(given().get("/q/metrics").then().statusCode(200).extract().asString());

    assertThat(named(Files.readString(SHIPPED.resolve("background-tasks.json"))))
        .hasSizeGreaterThan(5)
        .isSubsetOf(exported);
    assertThat(named(Files.readString(SHIPPED.resolve("background-tasks.rules.yml"))))
        .hasSizeGreaterThan(5)
        .isSubsetOf(exported);
  }

  @Test
  void everyClassHasAnObjective() throws IOException {
    var rules = Files.readString(SHIPPED.resolve("background-tasks.rules.yml"));

    var classes = new TreeSet<String>();
    PRIORITY.matcher(rules).results().forEach(found -> classes.add(found.group(1)));

    assertThat(classes).containsExactly("batch", "interactive", "normal");
  }

  @Test
  void theDashboardIsOneThatGrafanaReads() throws IOException {
    var dashboard =
        new ObjectMapper().readTree(Files.readString(SHIPPED.resolve("background-tasks.json")));

    assertThat(dashboard.path("uid").asText()).isNotBlank();
    assertThat(dashboard.path("panels")).isNotEmpty();
    for (JsonNode panel : dashboard.path("panels")) {
      assertThat(panel.path("targets").path(0).path("expr").asText()).isNotBlank();
    }
  }
}
