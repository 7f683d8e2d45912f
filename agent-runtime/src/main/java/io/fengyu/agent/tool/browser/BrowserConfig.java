package io.fengyu.agent.tool.browser;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Duration;
import java.util.Optional;

/** Where the browser is, and how much of it there may be. */
@ConfigMapping(prefix = "fengyu.browser")
interface BrowserConfig {

  /**
   * Address of a browser's debugger, ws, wss, http or https; absent: a Chromium of this machine.
   */
  Optional<String> cdpUrl();

  /** False to use no Chromium of this machine. */
  @WithDefault("true")
  boolean local();

  /** How many runs and conversations may use it at once; past it a call fails. */
  @Min(1)
  @Max(64)
  @WithDefault("8")
  int contexts();

  /** What nobody used for so long is closed with all its pages; the browser with the last one. */
  @WithDefault("10m")
  Duration idle();
}
