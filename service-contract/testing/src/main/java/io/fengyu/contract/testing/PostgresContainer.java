package io.fengyu.contract.testing;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.async.ResultCallback;
import com.github.dockerjava.api.exception.NotFoundException;
import com.github.dockerjava.api.model.PullResponseItem;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.postgresql.PostgreSQLContainer;
import org.testcontainers.utility.DockerImageName;

/** Postgres as a container, which ends with this test process. */
final class PostgresContainer {

  /** System property that names another image. */
  static final String IMAGE_PROPERTY = "fengyu.test.postgres-image";

  private static final Logger LOG = Logger.getLogger(PostgresContainer.class);
  private static final String IMAGE = "docker.io/pgvector/pgvector:pg17";
  private static final Duration ANSWERS_WITHIN = Duration.ofSeconds(2);
  private static final Duration PULLED_WITHIN = Duration.ofMinutes(3);
  private static final Duration STARTED_WITHIN = Duration.ofMinutes(2);

  private PostgresContainer() {}

  /** A fresh server; null when no engine answers, or when it can't have the image. */
  static @Nullable PostgresServer start() {
    if (!DockerEngine.answers(ANSWERS_WITHIN)) {
      return null;
    }
    var image = System.getProperty(IMAGE_PROPERTY, IMAGE);
    try {
      fetch(DockerClientFactory.instance().client(), image);
      return run(image);
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while starting Postgres", hurried);
    } catch (RuntimeException refused) {
      LOG.warnf("The tests use the embedded Postgres, not %s: %s", image, reason(refused));
      return null;
    }
  }

  // By itself the library tries for minutes to pull what can't be had.
  private static void fetch(DockerClient docker, String image) throws InterruptedException {
    if (!has(docker, image)) {
      docker
          .pullImageCmd(image)
          .exec(new ResultCallback.Adapter<PullResponseItem>())
          .awaitCompletion(PULLED_WITHIN.toSeconds(), TimeUnit.SECONDS);
      if (!has(docker, image)) {
        throw new IllegalStateException("the Docker engine can't pull it");
      }
    }
  }

  private static boolean has(DockerClient docker, String image) {
    try {
      docker.inspectImageCmd(image).exec();
      return true;
    } catch (NotFoundException absent) {
      return false;
    }
  }

  @SuppressWarnings("resource") // ends with the process
  private static PostgresServer run(String image) {
    var container =
        new PostgreSQLContainer(DockerImageName.parse(image).asCompatibleSubstituteFor("postgres"))
            .withUsername("postgres")
            .withPassword("postgres")
            .withDatabaseName("postgres")
            .withStartupTimeout(STARTED_WITHIN);
    container.setCommand(
        "postgres", "-c", "fsync=off", "-c", "max_connections=120", "-c", "shared_buffers=32MB");
    container.start();
    return new PostgresServer(
        container.getHost(),
        container.getMappedPort(PostgreSQLContainer.POSTGRESQL_PORT),
        "postgres",
        "postgres");
  }

  private static String reason(Throwable failure) {
    var cause = failure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return String.valueOf(cause.getMessage()).lines().findFirst().orElse("no reason given");
  }
}
