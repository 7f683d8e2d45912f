package io.fengyu.chat.model.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fengyu.chat.model.Backend;
import io.fengyu.contract.secret.SecretCipher;
import jakarta.enterprise.context.ApplicationScoped;

/**
 * Writes a back end down for a caller who wants the same one again: sealed, its key with it, for
 * its owner only. Nothing of it is kept here.
 */
@ApplicationScoped
public class PinnedBackends {

  private final SecretCipher cipher;
  private final ObjectMapper json;

  PinnedBackends(SecretCipher cipher, ObjectMapper json) {
    this.cipher = cipher;
    this.json = json;
  }

  /** A text that means this back end. */
  public String pin(String owner, Backend backend) {
    try {
      return cipher.seal(json.writeValueAsString(backend), purpose(owner));
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException("A back end is JSON", impossible);
    }
  }

  /**
   * The back end that a text means.
   *
   * @throws io.fengyu.contract.problem.ProblemException 422 {@code MODEL_UNAVAILABLE} when it means
   *     none of this owner, or was sealed under a key that is gone
   */
  public Backend backend(String owner, String pin) {
    var opened =
        cipher.open(pin, purpose(owner)).orElseThrow(() -> AiProblems.unavailable("pinned"));
    try {
      return json.readValue(opened, Backend.class);
    } catch (JsonProcessingException ofAnotherTime) {
      throw AiProblems.unavailable("pinned");
    }
  }

  private static String purpose(String owner) {
    return "chat.pinned_backend\n" + owner;
  }
}
