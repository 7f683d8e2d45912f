package io.fengyu.agent.tool.web;

import io.smallrye.config.ConfigMapping;
import java.util.Optional;

/** Where searches go. */
@ConfigMapping(prefix = "fengyu.web")
interface WebConfig {

  /**
   * The operator's page of results, which may be in a private network; absent: a public one. The
   * query takes the place of {@code {query}} in it, or is added as the parameter {@code q}.
   */
  Optional<String> searchEndpoint();
}
