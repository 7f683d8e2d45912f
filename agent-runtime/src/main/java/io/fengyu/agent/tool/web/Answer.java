package io.fengyu.agent.tool.web;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * What an address answered in the end.
 *
 * @param url the address after all redirects
 * @param contentType as it was declared; null when it was not
 * @param body decoded, at most as long as bodies may be
 * @param cut true when there was more
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares answers
record Answer(URI url, int status, @Nullable String contentType, byte[] body, boolean cut) {

  boolean good() {
    return status / 100 == 2;
  }
}
