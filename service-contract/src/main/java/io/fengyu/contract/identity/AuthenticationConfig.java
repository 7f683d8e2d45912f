package io.fengyu.contract.identity;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.util.Optional;

/** Who may call. */
@ConfigMapping(prefix = "fengyu.authentication")
interface AuthenticationConfig {

  /** False only for the edge, which passes credentials on for the services to judge. */
  @WithDefault("true")
  boolean enabled();

  /** Token of the owner {@code default}, role admin. */
  Optional<String> token();

  /** {@code alice:tokA,bob:tokB}: fixed owners, role user. */
  Optional<String> tokens();

  /** Shared by all services; what proves that a call comes from one of them. */
  Optional<String> internalSecret();

  /** Also accepted, while secrets are being changed. */
  Optional<String> previousInternalSecret();

  /** Requests a minute and owner; 0 for no limit, negative for the profile's default. */
  @WithDefault("-1")
  int ratePerMinute();

  /** Runs or turns that an owner may start in a minute; 0 for no limit. */
  @WithDefault("0")
  int startsPerMinute();

  /** Failed authentications a minute and address before the answer becomes 429. */
  @WithDefault("100")
  int failuresPerMinute();
}
