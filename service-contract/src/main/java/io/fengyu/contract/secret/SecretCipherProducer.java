package io.fengyu.contract.secret;

import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** Makes the cipher from the configured keys; only services that keep secrets ask for it. */
class SecretCipherProducer {

  @Produces
  @Singleton
  SecretCipher cipher(SecretConfig config) {
    return SecretCipher.of(
        config
            .machineKey()
            .orElseThrow(() -> new IllegalStateException("FENGYU_MACHINE_KEY must be set")),
        config.previousMachineKey().orElse(null));
  }
}
