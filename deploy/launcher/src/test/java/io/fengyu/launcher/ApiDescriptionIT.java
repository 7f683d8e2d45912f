package io.fengyu.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The description of the API that the edge serves is the one the services were built with. */
class ApiDescriptionIT {

  private static final Path HOME = Path.of("").toAbsolutePath().resolve("../..").normalize();

  private final ObjectMapper json = new ObjectMapper();

  @ParameterizedTest
  @EnumSource(value = Service.class, mode = EnumSource.Mode.EXCLUDE, names = "EDGE")
  void theKeptDescriptionIsTheBuiltOne(Service service) throws Exception {
    var kept = HOME.resolve("docs/api/" + service.module() + ".json");
    var built = HOME.resolve(service.module() + "/target/openapi/openapi.json");

    // Not isEqualTo: nobody wants to read two whole documents.
    assertThat(json.readTree(kept.toFile()).equals(json.readTree(built.toFile())))
        .as("%s is not stale; if it is: ./fengyu api, then commit it", kept)
        .isTrue();
  }
}
