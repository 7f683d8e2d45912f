package io.fengyu.webhook.story;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fengyu.contract.testing.PostgresServer;
import io.quarkus.test.junit.QuarkusTest;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;
import org.junit.jupiter.api.Test;

@QuarkusTest
class DisableForWorkflowTest {

  private final String workflow = UUID.randomUUID().toString();

  @Test
  void onlyTheDeletedWorkflowIsTouched() throws SQLException {
    insert(workflow);
    insert(workflow);
    insert("another-" + workflow);

    try (var connection = PostgresServer.shared().connectAs("fengyu_workflow")) {
      assertThat(call(connection)).isEqualTo(2);
      assertThat(call(connection)).isZero();
    }

    assertThat(ended(workflow)).isEqualTo(2);
    assertThat(ended("another-" + workflow)).isZero();
  }

  @Test
  void aDeletionThatIsRolledBackChangesNothing() throws SQLException {
    insert(workflow);

    try (var connection = PostgresServer.shared().connectAs("fengyu_workflow")) {
      connection.setAutoCommit(false);
      assertThat(call(connection)).isEqualTo(1);
      connection.rollback();
    }

    assertThat(ended(workflow)).isZero();
  }

  @Test
  void nobodyElseMayCallIt() throws SQLException {
    try (var connection = PostgresServer.shared().connectAs("fengyu_chat")) {
      assertThatThrownBy(() -> call(connection)).hasMessageContaining("permission denied");
    }
  }

  @Test
  void theWorkflowRoleMayNotReadTheTable() throws SQLException {
    try (var connection = PostgresServer.shared().connectAs("fengyu_workflow");
        var statement = connection.createStatement()) {
      assertThatThrownBy(() -> statement.executeQuery("SELECT * FROM webhook.trigger"))
          .hasMessageContaining("permission denied");
    }
  }

  private int call(Connection connection) throws SQLException {
    try (var statement = connection.prepareStatement("SELECT webhook.disable_for_workflow(?)")) {
      statement.setString(1, workflow);
      try (var result = statement.executeQuery()) {
        result.next();
        return result.getInt(1);
      }
    }
  }

  private static void insert(String workflowId) throws SQLException {
    try (var connection = PostgresServer.shared().connect();
        var statement =
            connection.prepareStatement(
                "INSERT INTO webhook.trigger (id, owner, workflow_id, name, secret_digest) VALUES (gen_random_uuid(), 'alice', ?, 'hook', sha256('x'))")) {
      statement.setString(1, workflowId);
      statement.executeUpdate();
    }
  }

  private static int ended(String workflowId) throws SQLException {
    try (var connection = PostgresServer.shared().connect();
        var statement =
            connection.prepareStatement(
                "SELECT count(*) FROM webhook.trigger WHERE workflow_id = ? AND NOT enabled")) {
      statement.setString(1, workflowId);
      try (var result = statement.executeQuery()) {
        result.next();
        return result.getInt(1);
      }
    }
  }
}
