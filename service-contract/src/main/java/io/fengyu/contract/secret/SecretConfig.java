package io.fengyu.contract.secret;

import io.smallrye.config.ConfigMapping;
import java.util.Optional;

/** The key that everything secret at rest hangs on. */
@ConfigMapping(prefix = "fengyu.secrets")
interface SecretConfig {

  /** At least 16 characters, better 32 random ones. */
  Optional<String> machineKey();

  /** Still opens what it sealed, while keys are being changed; seals nothing new. */
  Optional<String> previousMachineKey();
}
