package io.fengyu.agent.tool.computer;

import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.UUID;

/** Copies of what was seen on the screen, for people who want to know. */
@Singleton
class Screenshots {

  private static final int KEPT = 200;
  private static final DateTimeFormatter NAME =
      DateTimeFormatter.ofPattern("uuuuMMdd-HHmmss-SSS").withZone(ZoneOffset.UTC);

  private final Path place;
  private final Clock clock;

  Screenshots(ComputerConfig config, Clock clock) {
    this.place = config.screenshots();
    this.clock = clock;
  }

  /** Keeps a picture; the oldest make room. */
  Path keep(byte[] png) throws IOException {
    Files.createDirectories(place);
    var name = NAME.format(clock.instant()) + "-" + UUID.randomUUID().toString().substring(0, 8);
    var file = Files.write(place.resolve(name + ".png"), png);
    try (var all = Files.list(place)) {
      var old =
          all.filter(one -> one.toString().endsWith(".png"))
              .sorted(Comparator.reverseOrder())
              .skip(KEPT)
              .toList();
      for (var one : old) {
        Files.deleteIfExists(one);
      }
    }
    return file;
  }
}
