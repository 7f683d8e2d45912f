package io.fengyu.contract.secret;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import org.jspecify.annotations.Nullable;

/**
 * AES-256-GCM under keys derived from the machine key, with a random nonce each time. What is
 * sealed for one purpose opens for no other, so a value copied into another row, or to another
 * owner, stays closed.
 */
public final class SecretCipher {

  private static final String VERSION = "v1";
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;

  private final SecureRandom random = new SecureRandom();
  private final List<MachineKey> keys;

  private SecretCipher(List<MachineKey> keys) {
    this.keys = keys;
  }

  /**
   * Fails, naming the variable, when a key is too short.
   *
   * @param previous opens what it sealed before, but seals nothing
   */
  public static SecretCipher of(String machineKey, @Nullable String previous) {
    var keys = new ArrayList<MachineKey>();
    keys.add(MachineKey.of("FENGYU_MACHINE_KEY", machineKey));
    if (previous != null && !previous.isBlank()) {
      keys.add(MachineKey.of("FENGYU_MACHINE_KEY_PREVIOUS", previous));
    }
    return new SecretCipher(List.copyOf(keys));
  }

  /** Text that may be stored: version, key id, nonce and cipher text. */
  public String seal(String secret, String purpose) {
    var key = keys.getFirst();
    var nonce = new byte[NONCE_BYTES];
    random.nextBytes(nonce);
    try {
      var sealed =
          cipher(Cipher.ENCRYPT_MODE, key, nonce, purpose)
              .doFinal(secret.getBytes(StandardCharsets.UTF_8));
      var bytes = ByteBuffer.allocate(nonce.length + sealed.length).put(nonce).put(sealed).array();
      return VERSION + "." + key.id() + "." + Base64.getUrlEncoder().encodeToString(bytes);
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("AES-256-GCM is missing from this Java", impossible);
    }
  }

  /** Empty when it was sealed under another key or for another purpose, or is damaged. */
  public Optional<String> open(String sealed, String purpose) {
    var parts = sealed.split("\\.", 3);
    if (parts.length != 3 || !parts[0].equals(VERSION)) {
      return Optional.empty();
    }
    return keys.stream()
        .filter(key -> key.id().equals(parts[1]))
        .findFirst()
        .flatMap(key -> open(key, parts[2], purpose));
  }

  /** True when it should be sealed again under the current key. */
  public boolean outdated(String sealed) {
    return !sealed.startsWith(VERSION + "." + keys.getFirst().id() + ".");
  }

  private static Optional<String> open(MachineKey key, String encoded, String purpose) {
    try {
      var bytes = ByteBuffer.wrap(Base64.getUrlDecoder().decode(encoded));
      if (bytes.remaining() < NONCE_BYTES + TAG_BITS / 8) {
        return Optional.empty();
      }
      var nonce = new byte[NONCE_BYTES];
      bytes.get(nonce);
      var sealed = new byte[bytes.remaining()];
      bytes.get(sealed);
      var open = cipher(Cipher.DECRYPT_MODE, key, nonce, purpose).doFinal(sealed);
      return Optional.of(new String(open, StandardCharsets.UTF_8));
    } catch (AEADBadTagException | IllegalArgumentException foreign) {
      return Optional.empty();
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("AES-256-GCM is missing from this Java", impossible);
    }
  }

  private static Cipher cipher(int mode, MachineKey key, byte[] nonce, String purpose)
      throws GeneralSecurityException {
    var cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(mode, key.key(), new GCMParameterSpec(TAG_BITS, nonce));
    cipher.updateAAD(purpose.getBytes(StandardCharsets.UTF_8));
    return cipher;
  }
}
