package io.fengyu.agent.tool.web;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.select.Elements;

/** Finds the results in what a search page answers: HTML, or JSON of the usual shapes. */
final class SearchResults {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int LONGEST_TITLE = 300;
  // Where search pages have their results; the first that finds any is taken.
  private static final List<String> PLACES =
      List.of("a.result__a", "h3 a[href], a[href]:has(h3)", "h2 a[href], a[href]:has(h2)");
  private static final Pattern TARGET = Pattern.compile("[?&](?:uddg|url|u|q)=(https?[^&]+)");

  private final URI page;
  // The first of an address wins.
  private final Map<String, FoundPage> found = new LinkedHashMap<>();

  private SearchResults(URI page) {
    this.page = page;
  }

  /** In the order of the page, each address once. */
  static Collection<FoundPage> in(Answer answer) {
    var results = new SearchResults(answer.url());
    if (ContentType.of(answer.contentType()).type().endsWith("json")) {
      results.json(answer.body());
    } else {
      results.html(answer);
    }
    return results.found.values();
  }

  private void json(byte[] body) {
    try {
      var answer = JSON.readTree(new String(body, StandardCharsets.UTF_8));
      lists(answer).forEach(this::result);
    } catch (JsonProcessingException noJson) {
      // Then there is no result in it.
      found.clear();
    }
  }

  private static List<JsonNode> lists(JsonNode answer) {
    var all = new ArrayList<JsonNode>();
    for (var list :
        List.of(
            answer,
            answer.path("results"),
            answer.path("items"),
            answer.path("web").path("results"),
            answer.path("webPages").path("value"),
            answer.path("organic"))) {
      if (list.isArray()) {
        list.forEach(all::add);
      }
    }
    return all;
  }

  private void result(JsonNode result) {
    var title = result.path("title").asText(result.path("name").asText());
    var address = result.path("url").asText(result.path("link").asText());
    WebAddress.read(address).ifPresent(url -> add(title, url));
  }

  private void html(Answer answer) {
    var type = ContentType.of(answer.contentType());
    var text = new String(answer.body(), type.charset().orElse(StandardCharsets.UTF_8));
    links(Jsoup.parse(text, answer.url().toString())).forEach(this::link);
  }

  private static Elements links(Document document) {
    for (var place : PLACES) {
      var links = document.select(place);
      if (!links.isEmpty()) {
        return links;
      }
    }
    return new Elements();
  }

  private void link(Element link) {
    target(link.attr("href"))
        .filter(url -> !page.getHost().equalsIgnoreCase(url.getHost()))
        .ifPresent(url -> add(link.text(), url));
  }

  // Search pages like to see which result is chosen, and point to themselves with it as a
  // parameter.
  private Optional<URI> target(String href) {
    var named = WebAddress.resolve(page, href);
    var hidden = TARGET.matcher(href);
    if (named.isPresent() && sameSite(named.get()) && hidden.find()) {
      return WebAddress.read(URLDecoder.decode(hidden.group(1), StandardCharsets.UTF_8));
    }
    return named;
  }

  private boolean sameSite(URI url) {
    return site(url).equals(site(page));
  }

  private static String site(URI url) {
    var names = url.getHost().toLowerCase(Locale.ROOT).split("\\.", -1);
    int last = names.length - 1;
    return last < 1 ? names[0] : names[last - 1] + "." + names[last];
  }

  private void add(String title, URI url) {
    var words = title.strip();
    var shown = words.isEmpty() ? url.getHost() : words;
    var cut = shown.length() > LONGEST_TITLE ? shown.substring(0, LONGEST_TITLE) + "…" : shown;
    found.putIfAbsent(url.toString(), new FoundPage(cut, url));
  }
}
