package io.fengyu.contract.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SecretCipherTest {

  private static final String KEY = "a machine key of 32 characters..";
  private static final String NEXT = "the next machine key, also long.";

  private final SecretCipher cipher = SecretCipher.of(KEY, null);

  @Test
  void aSecretOpensForItsPurposeOnly() {
    var sealed = cipher.seal("geheim", "alice");

    assertThat(cipher.open(sealed, "alice")).contains("geheim");
    assertThat(cipher.open(sealed, "bob")).isEmpty();
    assertThat(sealed).doesNotContain("geheim");
  }

  @Test
  void theSameSecretNeverLooksTheSame() {
    assertThat(cipher.seal("x", "p")).isNotEqualTo(cipher.seal("x", "p"));
  }

  @Test
  void anotherKeyOrDamageReadsAsNotSet() {
    var sealed = cipher.seal("geheim", "p");

    assertThat(SecretCipher.of(NEXT, null).open(sealed, "p")).isEmpty();
    assertThat(cipher.open(sealed.substring(0, sealed.length() - 6), "p")).isEmpty();
    assertThat(cipher.open("v1.nonsense", "p")).isEmpty();
    assertThat(cipher.open("v1." + sealed.split("\\.", 3)[1] + ".!!", "p")).isEmpty();
    assertThat(cipher.open("", "p")).isEmpty();
  }

  @Test
  void thePreviousKeyStillOpensAndItsSecretsAreOutdated() {
    var old = cipher.seal("geheim", "p");
    var rotated = SecretCipher.of(NEXT, KEY);

    assertThat(rotated.open(old, "p")).contains("geheim");
    assertThat(rotated.outdated(old)).isTrue();
    assertThat(rotated.outdated(rotated.seal("geheim", "p"))).isFalse();
  }

  @Test
  void aShortKeyIsRefusedByItsName() {
    assertThatThrownBy(() -> SecretCipher.of("short", null))
        .hasMessageContaining("FENGYU_MACHINE_KEY");
    assertThatThrownBy(() -> SecretCipher.of(KEY, "short"))
        .hasMessageContaining("FENGYU_MACHINE_KEY_PREVIOUS");
  }
}
