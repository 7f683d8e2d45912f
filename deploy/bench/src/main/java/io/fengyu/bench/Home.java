package io.fengyu.bench;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Finds the checkout this program was built in. */
final class Home {

  private Home() {}

  static Path directory() {
    try {
      Path at = Path.of(Home.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      for (Path up = at.getParent(); up != null; up = up.getParent()) {
        if (Files.exists(up.resolve("fengyu")) && Files.isDirectory(up.resolve("deploy"))) {
          return up;
        }
      }
      throw new IllegalStateException("Not inside a checkout: " + at);
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
