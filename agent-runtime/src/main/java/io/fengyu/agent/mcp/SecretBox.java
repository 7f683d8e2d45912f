package io.fengyu.agent.mcp;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fengyu.contract.secret.SecretCipher;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Encrypts the secrets of a server for this server and its address only. */
@ApplicationScoped
class SecretBox {

  private final SecretCipher cipher;
  private final ObjectMapper json;

  SecretBox(SecretCipher cipher, ObjectMapper json) {
    this.cipher = cipher;
    this.json = json;
  }

  /** Null when there is nothing to keep. */
  @Nullable String seal(UUID server, ServerSettings settings, Secrets secrets) {
    if (secrets.isEmpty()) {
      return null;
    }
    try {
      return cipher.seal(json.writeValueAsString(secrets), purpose(server, settings));
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException("Maps of texts are always JSON", impossible);
    }
  }

  /** Empty when they were sealed under another key or for another address. */
  Optional<Secrets> open(UUID server, ServerSettings settings, @Nullable String sealed) {
    if (sealed == null) {
      return Optional.of(Secrets.NONE);
    }
    return cipher.open(sealed, purpose(server, settings)).flatMap(this::read);
  }

  /** True when they should be sealed again under the current key. */
  boolean outdated(@Nullable String sealed) {
    return sealed != null && cipher.outdated(sealed);
  }

  private Optional<Secrets> read(String text) {
    try {
      return Optional.of(json.readValue(text, Secrets.class));
    } catch (JsonProcessingException damaged) {
      return Optional.empty();
    }
  }

  private static String purpose(UUID server, ServerSettings settings) {
    return "mcp:" + server + ":" + settings.origin();
  }
}
