package io.fengyu.agent.tool.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.fengyu.agent.tool.Calls;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WebSearchTest {

  private static final String HITS =
      """
      <html><body><a href="/about">About</a>
      <h2 class="result__title"><a class="result__a"
        href="//search.example/l/?uddg=https%3A%2F%2Fone.example%2Fa%3Fx%3D1&amp;rut=9">First <b>hit</b></a></h2>
      <h2 class="result__title"><a class="result__a" href="https://two.example/">Second</a></h2>
      <h2 class="result__title"><a class="result__a" href="https://sub.denied.example/">Third</a></h2>
      <h2 class="result__title"><a class="result__a" href="https://two.example/">Second again</a></h2>
      <h2 class="result__title"><a class="result__a" href="javascript:x()">No page</a></h2>
      </body></html>
      """;

  @TempDir private Path root;
  private PublicWeb web;

  @BeforeEach
  void start() throws IOException {
    web = new PublicWeb();
    web.name("search.example", PublicWeb.PUBLIC);
  }

  @AfterEach
  void stop() {
    web.close();
  }

  @Test
  void resultsAreTitlesAndAddressesWithoutThoseOfDeniedDomains() throws Exception {
    web.page("/html", "text/html", HITS);
    web.denied.put("sub.denied.example", "WebFetch(domain:denied.example)");

    var result = search("http://search.example/html", "{'query':' sales figures '}");

    assertThat(result.path("success").asBoolean()).isTrue();
    assertThat(result.path("query").asText()).isEqualTo("sales figures");
    assertThat(result.path("results"))
        .isEqualTo(
            Calls.json(
                "[{\"title\":\"First hit\",\"url\":\"https://one.example/a?x=1\"},"
                    + "{\"title\":\"Second\",\"url\":\"https://two.example/\"}]"));
  }

  @Test
  void noMoreResultsThanAskedFor() throws Exception {
    web.page("/html", "text/html", HITS);

    assertThat(search("http://search.example/html", "{'query':'x','count':1}").path("results"))
        .hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'results':[{'title':'A','url':'https://a.example/'}]}",
        "{'webPages':{'value':[{'name':'A','url':'https://a.example/'}]}}",
        "{'web':{'results':[{'title':'A','url':'https://a.example/'}]}}",
        "{'items':[{'title':'A','link':'https://a.example/'}]}",
      })
  void pagesThatAnswerInJsonAreUnderstood(String json) throws Exception {
    web.page("/json", "application/json", json.replace('\'', '"'));

    var result = search("http://search.example/json?format=json", "{'query':'x'}");

    assertThat(result.path("results").path(0).path("title").asText()).isEqualTo("A");
    assertThat(result.path("results").path(0).path("url").asText()).isEqualTo("https://a.example/");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<h3><a href='https://a.example/'>A</a></h3>",
        "<a href='https://a.example/'><h3>A</h3></a>",
        "<ol><li><h2><a href='https://a.example/'>A</a></h2></li></ol>",
        "<h3><a href='/url?q=https%3A%2F%2Fa.example%2F&sa=U'>A</a></h3>"
      })
  void otherSearchPagesAreUnderstoodToo(String html) throws Exception {
    web.page("/page", "text/html", html);

    var result = search("http://search.example/page", "{'query':'x'}");

    assertThat(result.path("results").path(0).path("url").asText()).isEqualTo("https://a.example/");
  }

  @Test
  void nothingFoundIsAFailure() throws Exception {
    web.page("/html", "text/html", "<p>No results.</p>");

    var result = search("http://search.example/html", "{'query':'x'}");

    assertThat(result.path("success").asBoolean()).isFalse();
    assertThat(result.path("summary").asText()).isEqualTo("nothing was found for: x");
  }

  @Test
  void aSearchPageOfTheOperatorMayBePrivateButNothingItRedirectsTo() throws Exception {
    var endpoint = "http://127.0.0.1:" + web.port();
    web.page("/q", "text/html", HITS);
    web.redirect("/moved", 302, "/q");
    web.redirect("/away", 302, "http://127.0.0.2:" + web.port() + "/q");

    assertThat(search(endpoint + "/q?s={query}", "{'query':'x'}").path("results")).hasSize(3);
    assertThat(search(endpoint + "/moved", "{'query':'x'}").path("results")).hasSize(3);
    assertThat(search(endpoint + "/away", "{'query':'x'}").path("summary").asText())
        .endsWith("private or local address refused");
  }

  @Test
  void theQueryTravelsWholeWhateverIsInIt() throws Exception {
    var seen = new java.util.concurrent.atomic.AtomicReference<String>();
    web.page(
        "/q",
        exchange -> {
          seen.set(exchange.getRequestURI().getQuery());
          exchange.sendResponseHeaders(200, -1);
        });

    search("http://search.example/q?s={query}&n=10", "{'query':'a&b=c#d 华东'}");

    assertThat(seen.get()).isEqualTo("s=a&b=c#d+华东&n=10");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ftp://x/", "nothing", "http://u:p@x/", "http://a b/"})
  void aSearchPageThatCannotBeStopsTheStart(String address) {
    assertThatThrownBy(() -> new SearchEndpoint(() -> Optional.of(address)))
        .hasMessageContaining("WEB_SEARCH_ENDPOINT");
  }

  private JsonNode search(String endpoint, String args) throws Exception {
    var search =
        new WebSearch(web.reader(), web.rules(), new SearchEndpoint(() -> Optional.of(endpoint)));
    return new Calls(root).result(search, args);
  }
}
