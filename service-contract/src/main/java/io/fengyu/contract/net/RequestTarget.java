package io.fengyu.contract.net;

import java.net.URI;
import java.net.URISyntaxException;

/**
 * The address in the first line of a request. Quarkus answers an unreadable one by itself, with no
 * body; {@code -Dvertx.disableURIValidation=true} leaves it to those who call this.
 */
public final class RequestTarget {

  private RequestTarget() {}

  /** False for an address that cannot be decoded, such as {@code /%zz}. */
  public static boolean readable(String uri) {
    try {
      var parsed = new URI(uri);
      return parsed.getRawPath() != null;
    } catch (URISyntaxException unreadable) {
      return false;
    }
  }
}
