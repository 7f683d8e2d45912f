package io.fengyu.workflow.story;

import static io.restassured.RestAssured.given;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.restassured.http.ContentType;
import io.restassured.response.Response;

/** One person with a token, and what such a person does with workflows over HTTP. */
final class Owner {

  static final Owner ALICE = new Owner("alice", "tok-alice");
  static final Owner BOB = new Owner("bob", "tok-bob");

  private static final ObjectMapper JSON = new ObjectMapper();

  private final String name;
  private final String token;

  private Owner(String name, String token) {
    this.name = name;
    this.token = token;
  }

  Response get(String path) {
    return given().header("X-FengYu-Token", token).get(path);
  }

  Response delete(String path) {
    return given().header("X-FengYu-Token", token).delete(path);
  }

  Response post(String path) {
    return given().header("X-FengYu-Token", token).post(path);
  }

  Response post(String path, String body) {
    return post(path, body, "en");
  }

  Response post(String path, String body, String language) {
    return given()
        .header("X-FengYu-Token", token)
        .header("Accept-Language", language)
        .contentType(ContentType.JSON)
        .body(body)
        .post(path);
  }

  Response put(String path, String body) {
    return put(path, body, "en");
  }

  Response put(String path, String body, String language) {
    return given()
        .header("X-FengYu-Token", token)
        .header("Accept-Language", language)
        .contentType(ContentType.JSON)
        .body(body)
        .put(path);
  }

  /** What another service asks on behalf of this person. */
  Response internal(String path, String body) {
    return given()
        .header("X-Internal-Secret", "test-internal-secret-0123456789abcdef")
        .header("X-User-ID", name)
        .contentType(ContentType.JSON)
        .body(body)
        .post(path);
  }

  /** The same without a body. */
  Response internal(String path) {
    return given()
        .header("X-Internal-Secret", "test-internal-secret-0123456789abcdef")
        .header("X-User-ID", name)
        .get(path);
  }

  /** Creates a workflow and returns its id. */
  String created(String draft) {
    return post("/api/workflows", draft).then().statusCode(200).extract().path("id");
  }

  JsonNode definition(String id) {
    return json(get("/api/workflows/" + id));
  }

  /** The body of a 200. */
  static JsonNode json(Response response) {
    var body = response.then().statusCode(200).extract().asString();
    return parsed(body);
  }

  static JsonNode parsed(String body) {
    try {
      return JSON.readTree(body);
    } catch (com.fasterxml.jackson.core.JsonProcessingException notJson) {
      throw new AssertionError(body, notJson);
    }
  }
}
