package io.fengyu.chat.story;

import static io.restassured.RestAssured.given;

import io.fengyu.contract.testing.PostgresResource;
import io.restassured.specification.RequestSpecification;

/** Requests by the people of the stories. */
final class As {

  private As() {}

  static RequestSpecification admin() {
    return token(PostgresResource.ADMIN_TOKEN);
  }

  static RequestSpecification alice() {
    return token(PostgresResource.ALICE_TOKEN);
  }

  static RequestSpecification token(String token) {
    return given().header("X-FengYu-Token", token).contentType("application/json");
  }

  static RequestSpecification service() {
    return given()
        .header("X-Internal-Secret", PostgresResource.INTERNAL_SECRET)
        .contentType("application/json");
  }
}
