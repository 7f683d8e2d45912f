package io.fengyu.scheduler.schedule;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.nullValue;

import io.fengyu.contract.testing.PostgresResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.http.ContentType;
import io.restassured.response.ValidatableResponse;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@QuarkusTest
class PreviewTest {

  private static ValidatableResponse preview(String body) {
    return given()
        .header("X-FengYu-Token", PostgresResource.ALICE_TOKEN)
        .contentType(ContentType.JSON)
        .body(body.replace('\'', '"'))
        .post("/api/agent/schedules/preview")
        .then();
  }

  @Test
  void aCalendarShowsItsTimesAsTheClockOnTheWallDoes() {
    preview(
            """
            {'calendar':{'frequency':'DAILY','time':'02:30','zoneId':'Europe/Berlin'},
             'after':'2026-03-28T12:00:00Z','count':2}""")
        .statusCode(200)
        .body("fireTimes", contains("2026-03-29T01:30:00.000Z", "2026-03-30T00:30:00.000Z"))
        .body("fires[0].local", equalTo("2026-03-29T02:30"))
        .body("fires[0].offset", equalTo("+02:00"))
        .body("fires[0].at", equalTo("2026-03-29T01:30:00.000Z"))
        .body("fires[0].note", equalTo("gap-shifted"))
        .body("fires[1].note", nullValue())
        .body("expiresAt", nullValue())
        .body("policy", containsString("Europe/Berlin"));
  }

  @Test
  void anIntervalShowsItsGridUntilItExpires() {
    var seen =
        preview("{'schedule':{'intervalSeconds':86400,'fireImmediately':true},'count':24}")
            .statusCode(200)
            .body("fires", hasSize(7))
            .extract()
            .jsonPath();
    var first = Instant.parse(seen.getString("fireTimes[0]"));
    assertThat(Instant.parse(seen.getString("fireTimes[6]")))
        .isEqualTo(first.plus(Duration.ofDays(6)));
    assertThat(Instant.parse(seen.getString("expiresAt")))
        .isEqualTo(first.plus(Duration.ofDays(7)));
  }

  @Test
  void aSingleFireIsShownOnce() {
    preview("{'schedule':{'intervalSeconds':31536000,'recurring':false}}")
        .statusCode(200)
        .body("fires", hasSize(1))
        .body("expiresAt", nullValue());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}|SCHEDULE_CALENDAR_INVALID|calendar",
        "{'calendar':'daily'}|SCHEDULE_CALENDAR_INVALID|calendar",
        "{'calendar':{'time':'09:00','zoneId':'UTC'}}|SCHEDULE_CALENDAR_INVALID|frequency",
        "{'calendar':{'frequency':'DAILY','time':'9:00','zoneId':'UTC'}}|SCHEDULE_CALENDAR_INVALID|time",
        "{'calendar':{'frequency':'DAILY','time':'24:00','zoneId':'UTC'}}|SCHEDULE_CALENDAR_INVALID|time",
        "{'calendar':{'frequency':'DAILY','time':'09:00'}}|SCHEDULE_CALENDAR_INVALID|zoneId",
        "{'calendar':{'frequency':'DAILY','time':'09:00','zoneId':'Mars/Base'}}|SCHEDULE_CALENDAR_INVALID|zoneId",
        "{'calendar':{'frequency':'DAILY','time':'09:00','zoneId':'+02:00'}}|SCHEDULE_CALENDAR_INVALID|zoneId",
        "{'calendar':{'frequency':'WEEKLY','time':'09:00','zoneId':'UTC','weekdays':[]}}|SCHEDULE_CALENDAR_INVALID|weekdays",
        "{'calendar':{'frequency':'WEEKLY','time':'09:00','zoneId':'UTC','weekdays':[8]}}|SCHEDULE_CALENDAR_INVALID|weekdays",
        "{'calendar':{'frequency':'MONTHLY','time':'09:00','zoneId':'UTC','monthDay':0}}|SCHEDULE_CALENDAR_INVALID|monthDay",
        "{'calendar':{'frequency':'MONTHLY','time':'09:00','zoneId':'UTC','monthDay':1.5}}|SCHEDULE_CALENDAR_INVALID|monthDay",
        "{'schedule':{'intervalSeconds':59}}|SCHEDULE_INTERVAL_TOO_SHORT|",
        "{'schedule':{'intervalSeconds':604800}}|SCHEDULE_INTERVAL_TOO_LONG|",
        "{'schedule':{'recurring':false,'intervalSeconds':99999999999999999999}}|SCHEDULE_INTERVAL_TOO_LONG|",
        "{'schedule':{'recurring':false,'fireImmediately':true}}|SCHEDULE_CONTRADICTION|",
        "{'schedule':{'intervalSeconds':'60'}}|INVALID_REQUEST|",
        "{'schedule':7}|INVALID_REQUEST|",
        "{'schedule':{},'count':25}|INVALID_REQUEST|",
        "{'schedule':{},'after':'tomorrow'}|INVALID_REQUEST|",
      })
  void whatMeansNothingIsRefused(String body, String code, String field) {
    preview(body).statusCode(400).body("code", equalTo(code)).body("params.field", equalTo(field));
  }
}
