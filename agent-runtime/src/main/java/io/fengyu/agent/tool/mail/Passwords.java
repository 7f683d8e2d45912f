package io.fengyu.agent.tool.mail;

import io.fengyu.contract.secret.SecretCipher;
import jakarta.enterprise.context.ApplicationScoped;
import org.jspecify.annotations.Nullable;

/** Encrypts the password of an account for this account and its host only. */
@ApplicationScoped
class Passwords {

  private final SecretCipher cipher;

  Passwords(SecretCipher cipher) {
    this.cipher = cipher;
  }

  /** The account with its password sealed; null takes it away. */
  Account seal(Account account, @Nullable String password) {
    return account.sealed(password == null ? null : cipher.seal(password, purpose(account)));
  }

  /** Null when there is none, or it was sealed under a key or for a host that is no more. */
  @Nullable String open(Account account) {
    var sealed = account.sealed();
    return sealed == null ? null : cipher.open(sealed, purpose(account)).orElse(null);
  }

  /** True when it should be sealed again under the current key. */
  boolean outdated(Account account) {
    var sealed = account.sealed();
    return sealed != null && cipher.outdated(sealed);
  }

  private static String purpose(Account account) {
    return "mail:" + account.secretKey() + ":" + account.host();
  }
}
