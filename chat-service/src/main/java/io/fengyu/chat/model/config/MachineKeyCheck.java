package io.fengyu.chat.model.config;

import io.fengyu.contract.secret.SecretCipher;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Instance;

/** Without a usable machine key, or with an unusable address, the service does not start. */
@ApplicationScoped
class MachineKeyCheck {

  private final Instance<SecretCipher> cipher;
  private final AiSettingsReader reader;

  MachineKeyCheck(Instance<SecretCipher> cipher, AiSettingsReader reader) {
    this.cipher = cipher;
    this.reader = reader;
  }

  void start(@Observes StartupEvent started) {
    cipher.get();
    reader.check();
  }
}
