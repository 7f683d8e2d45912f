package io.fengyu.chat.model.config;

import io.fengyu.chat.model.config.StoredConfig.StoredKey;
import io.fengyu.contract.secret.SecretCipher;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;

/** Seals and opens providers' keys; a key opens only for its owner, slot and origin. */
@ApplicationScoped
class KeyRing {

  private final SecretCipher cipher;

  KeyRing(SecretCipher cipher) {
    this.cipher = cipher;
  }

  AiChange.NewKey seal(String owner, String slot, String origin, String key) {
    return new AiChange.NewKey(slot, origin, cipher.seal(key, purpose(owner, slot, origin)));
  }

  /** Empty also when it was sealed under a key that is gone: then it must be entered again. */
  Optional<String> open(String owner, String slot, StoredKey stored) {
    return cipher.open(stored.sealed(), purpose(owner, slot, stored.origin()));
  }

  boolean outdated(StoredKey stored) {
    return cipher.outdated(stored.sealed());
  }

  private static String purpose(String owner, String slot, String origin) {
    return "chat.ai_key\n" + owner + "\n" + slot + "\n" + origin;
  }
}
