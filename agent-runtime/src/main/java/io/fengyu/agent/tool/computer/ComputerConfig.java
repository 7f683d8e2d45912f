package io.fengyu.agent.tool.computer;

import io.smallrye.config.ConfigMapping;
import java.nio.file.Path;
import java.util.Optional;

/** Where the screen is, and where pictures of it are kept. */
@ConfigMapping(prefix = "fengyu.computer")
interface ComputerConfig {

  /** The X display; absent: this machine has none, unless its system always has one. */
  Optional<String> display();

  /** A copy of every picture of the screen; the newest stay. */
  Path screenshots();
}
