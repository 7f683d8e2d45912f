package io.fengyu.contract.config;

import io.smallrye.config.ConfigSourceContext;
import io.smallrye.config.ConfigSourceFactory;
import io.smallrye.config.ConfigValue;
import io.smallrye.config.PropertiesConfigSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.eclipse.microprofile.config.spi.ConfigSource;

/**
 * Reads {@code <NAME>} from the file that {@code <NAME>_FILE} names, as container platforms hand
 * out secrets. The variable itself wins when both are set.
 */
public class SecretFiles implements ConfigSourceFactory {

  private static final List<String> SECRETS =
      List.of(
          "FENGYU_TOKEN",
          "FENGYU_TOKENS",
          "INTERNAL_SERVICE_SECRET",
          "INTERNAL_SERVICE_SECRET_PREVIOUS",
          "FENGYU_MACHINE_KEY",
          "FENGYU_MACHINE_KEY_PREVIOUS",
          "DB_PASSWORD",
          "DB_MIGRATE_PASSWORD");

  // Between application.properties (250) and the environment (300).
  private static final int ORDINAL = 290;

  @Override
  public Iterable<ConfigSource> getConfigSources(ConfigSourceContext context) {
    Map<String, String> found = new HashMap<>();
    for (var name : SECRETS) {
      var file = context.getValue(name + "_FILE");
      if (present(file)) {
        found.put(name, read(name, file.getValue()));
      }
    }
    return List.of(new PropertiesConfigSource(found, "secret files", ORDINAL));
  }

  @Override
  public OptionalInt getPriority() {
    return OptionalInt.of(ORDINAL);
  }

  private static boolean present(@org.jspecify.annotations.Nullable ConfigValue value) {
    return value != null && value.getValue() != null && !value.getValue().isBlank();
  }

  private static String read(String name, String file) {
    try {
      return Files.readString(Path.of(file)).strip();
    } catch (IOException unreadable) {
      throw new IllegalArgumentException(name + "_FILE cannot be read: " + file, unreadable);
    }
  }
}
