package io.fengyu.agent.tool.web;

import io.fengyu.contract.outbound.TargetPolicy;
import jakarta.inject.Singleton;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** The page of results that searches ask. */
@Singleton
class SearchEndpoint {

  private static final String PUBLIC = "https://html.duckduckgo.com/html/";
  private static final String QUERY = "{query}";

  private final String address;
  private final boolean operators;

  SearchEndpoint(WebConfig config) {
    operators = config.searchEndpoint().isPresent();
    address = config.searchEndpoint().orElse(PUBLIC);
    if (!TargetPolicy.isHttp(of("x"))) {
      throw new IllegalArgumentException(
          "WEB_SEARCH_ENDPOINT must be an http or https address without credentials");
    }
  }

  /** True when the operator chose it: then it may be in a private network. */
  boolean operators() {
    return operators;
  }

  /** Where the results of a query are. */
  URI of(String query) {
    var encoded = URLEncoder.encode(query, StandardCharsets.UTF_8);
    try {
      if (address.contains(QUERY)) {
        return URI.create(address.replace(QUERY, encoded));
      }
      return URI.create(address + (address.contains("?") ? "&" : "?") + "q=" + encoded);
    } catch (IllegalArgumentException noAddress) {
      throw new IllegalArgumentException("WEB_SEARCH_ENDPOINT is no address", noAddress);
    }
  }
}
