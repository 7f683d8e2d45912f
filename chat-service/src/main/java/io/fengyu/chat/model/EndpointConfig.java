package io.fengyu.chat.model;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.smallrye.config.WithName;
import jakarta.validation.constraints.Pattern;
import java.util.List;
import java.util.Optional;

/** Which hosts may be providers. */
@ConfigMapping(prefix = "fengyu.model.endpoints")
public interface EndpointConfig {

  /** {@code server} or {@code workstation}. */
  @WithDefault("server")
  @Pattern(regexp = "server|workstation", message = "PROFILE must be server or workstation")
  String profile();

  /** Private hosts for everybody; absent means yes on a workstation, no on a server. */
  Optional<Boolean> allowPrivate();

  /** Private hosts that may be used all the same, as {@code host} or {@code host:port}. */
  Optional<List<String>> allowHosts();

  /** Base addresses that the environment configures. */
  @WithName("operator-urls")
  Optional<List<String>> operatorUrls();

  /** True when only one person uses the system, on their own machine. */
  default boolean workstation() {
    return profile().equals("workstation");
  }
}
