package io.fengyu.chat.story;

import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.not;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

@QuarkusTest
class UserAdministrationTest {

  private static final Duration ON_EVERY_REPLICA = Duration.ofSeconds(5);

  private final String user = "u" + UUID.randomUUID().toString().replace("-", "");

  @Test
  void aNewTokenWorksAndADeletedOneDoesNot() {
    create(Map.of("id", user)).statusCode(201);
    var created = newToken();

    As.token(created.token).get("/api/ai/nothing").then().statusCode(404);
    As.admin()
        .delete("/api/admin/users/" + user + "/tokens/" + created.tokenId)
        .then()
        .statusCode(204);

    await()
        .atMost(ON_EVERY_REPLICA)
        .untilAsserted(() -> As.token(created.token).get("/api/ai/nothing").then().statusCode(401));
  }

  @Test
  void aTokenIsShownOnceAndStoredNowhere() {
    create(Map.of("id", user)).statusCode(201);
    var created = newToken();

    As.admin()
        .get("/api/admin/users/" + user + "/tokens")
        .then()
        .statusCode(200)
        .body("tokens[0].tokenId", equalTo(created.tokenId))
        .body("tokens[0].label", equalTo("laptop"))
        .body(not(org.hamcrest.Matchers.containsString(created.token)));
  }

  @Test
  void deletingAUserEndsItsTokens() {
    create(Map.of("id", user)).statusCode(201);
    var created = newToken();
    As.token(created.token).get("/api/ai/nothing").then().statusCode(404);

    As.admin().delete("/api/admin/users/" + user).then().statusCode(204);

    await()
        .atMost(ON_EVERY_REPLICA)
        .untilAsserted(() -> As.token(created.token).get("/api/ai/nothing").then().statusCode(401));
    As.admin().delete("/api/admin/users/" + user).then().statusCode(404);
  }

  @Test
  void onlyAdministratorsGetIn() {
    As.alice().get("/api/admin/users").then().statusCode(403).body("code", equalTo("FORBIDDEN"));

    create(Map.of("id", user, "role", "admin")).statusCode(201);
    As.token(newToken().token).get("/api/admin/users").then().statusCode(200);
  }

  @Test
  void usersAreListedInPages() {
    create(Map.of("id", user, "displayName", "Somebody"))
        .body("displayName", equalTo("Somebody"))
        .body("role", equalTo("user"))
        .body("createdAt", matchesPattern("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z"));

    As.admin().get("/api/admin/users?limit=1000").then().body("users.id", hasItem(user));
    As.admin()
        .get("/api/admin/users?limit=1&cursor=" + user.substring(0, user.length() - 1))
        .then()
        .body("users[0].id", equalTo(user))
        .body("nextCursor", equalTo(user));
  }

  @Test
  void theSameUserTwiceIsAConflict() {
    create(Map.of("id", user)).statusCode(201);

    create(Map.of("id", user)).statusCode(409).body("code", equalTo("USER_EXISTS"));
  }

  @Test
  void anOwnerOfTheConfigurationIsNotMadeAgain() {
    for (var fixed : List.of("default", "alice", "bob")) {
      create(Map.of("id", fixed))
          .statusCode(409)
          .body("code", equalTo("USER_FIXED"))
          .body("params.id", equalTo(fixed));
    }
    As.admin().get("/api/admin/users?limit=1000").then().body("users.id", not(hasItem("alice")));
  }

  @Test
  void anExpiredTokenIsNeverMade() {
    create(Map.of("id", user)).statusCode(201);

    As.admin()
        .body(Map.of("expiresAt", "2020-01-01T00:00:00Z"))
        .post("/api/admin/users/" + user + "/tokens")
        .then()
        .statusCode(400)
        .body("code", equalTo("TOKEN_EXPIRY_PAST"));
  }

  private static ValidatableResponse create(Map<String, String> body) {
    return As.admin().body(body).post("/api/admin/users").then();
  }

  private record Token(String tokenId, String token) {}

  private Token newToken() {
    var created =
        As.admin()
            .body(Map.of("label", "laptop"))
            .post("/api/admin/users/" + user + "/tokens")
            .then()
            .statusCode(201)
            .body("token", matchesPattern("fy_[A-Za-z0-9_-]{43}"))
            .extract();
    return new Token(created.path("tokenId"), created.path("token"));
  }
}
