package io.fengyu.agent.tool.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import io.fengyu.agent.tool.Calls;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WebFetchTest {

  private static final String PAGE =
      """
      <!DOCTYPE html><html><head><title> Quarterly
       report </title><style>p{color:red}</style><script>track()</script></head>
      <body><header>Site name</header><nav><a href="/">Home</a> <a href="/x">Other</a></nav>
      <main><h1>Sales</h1><p>They <b>rose</b> by
       4&nbsp;%.</p><ul><li>north</li><li><p>south</p></li></ul>
      <table><tr><th>Region</th><th>Sum</th></tr><tr><td>East</td><td>12</td></tr></table>
      <pre>a
        b</pre><p hidden>unseen</p><p style="display: none">unseen too</p></main>
      <footer>Imprint</footer></body></html>
      """;

  @TempDir private Path root;
  private PublicWeb web;

  @BeforeEach
  void start() throws IOException {
    web = new PublicWeb();
    web.name("page.example", PublicWeb.PUBLIC);
    web.name("other.example", PublicWeb.PUBLIC);
  }

  @AfterEach
  void stop() {
    web.close();
  }

  @Test
  void aPageIsReadAsAReaderWouldReadIt() throws Exception {
    web.page("/report", "text/html; charset=utf-8", PAGE);

    var result = fetch("http://page.example/report#sales");

    assertThat(result.path("success").asBoolean()).isTrue();
    assertThat(result.path("status").asInt()).isEqualTo(200);
    assertThat(result.path("url").asText()).isEqualTo("http://page.example/report");
    assertThat(result.path("contentType").asText()).isEqualTo("text/html; charset=utf-8");
    assertThat(result.path("title").asText()).isEqualTo("Quarterly report");
    assertThat(result.path("truncated").asBoolean()).isFalse();
    assertThat(result.path("text").asText())
        .isEqualTo(
            """
            # Sales

            They rose by 4 %.

            - north
            - south

            Region | Sum
            East | 12

            a
              b""");
  }

  @Test
  void aPageWithoutAMainPartIsReadWithoutItsFrame() throws Exception {
    web.page(
        "/plain",
        "text/html",
        "<header>Frame</header><div>" + "One long text. ".repeat(20) + "</div><footer>F</footer>");

    assertThat(fetch("http://page.example/plain").path("text").asText())
        .startsWith("One long text.")
        .doesNotContain("Frame");
  }

  @ParameterizedTest
  @CsvSource({
    "GB18030, text/html; charset=gb18030, ''",
    "GBK, text/html, <meta charset=gbk>",
    "Shift_JIS, text/html, <meta http-equiv=content-type content='text/html;charset=shift_jis'>",
    "UTF-16, text/html, ''",
    "UTF-8, text/html; charset=no-such-thing, <meta charset=utf-8>",
    "UTF-16LE, text/plain; charset=utf-16le, ''",
    "GB18030, text/plain, ''",
    "UTF-8, application/json, ''"
  })
  void textIsReadInTheCharsetItIsWrittenIn(String charset, String type, String meta)
      throws Exception {
    var body = meta + "<p>東京 中文</p>";
    web.page("/text", type, body.getBytes(Charset.forName(charset)));

    assertThat(fetch("http://page.example/text").path("text").asText()).contains("東京 中文");
  }

  @ParameterizedTest
  @ValueSource(strings = {"image/png", "application/pdf", "application/octet-stream", "video/mp4"})
  void whatIsNoTextIsNotReturned(String type) throws Exception {
    web.page("/binary", type, new byte[] {1, 2, 3});

    var result = fetch("http://page.example/binary");

    assertThat(result.path("success").asBoolean()).isFalse();
    assertThat(result.path("summary").asText()).contains("no readable text", type);
  }

  @Test
  void anErrorPageIsAFailureThatCanBeRead() throws Exception {
    web.page(
        "/gone",
        exchange -> {
          exchange.getResponseHeaders().set("Content-Type", "text/plain");
          exchange.sendResponseHeaders(410, 0);
          exchange.getResponseBody().write("moved out".getBytes(StandardCharsets.UTF_8));
        });

    var result = fetch("http://page.example/gone");

    assertThat(result.path("success").asBoolean()).isFalse();
    assertThat(result.path("status").asInt()).isEqualTo(410);
    assertThat(result.path("text").asText()).isEqualTo("moved out");
  }

  @Test
  void fiveRedirectsAreFollowedAndNotSix() throws Exception {
    web.page("/0", "text/plain", "arrived");
    for (int i = 1; i <= 6; i++) {
      web.redirect("/" + i, 302, i % 2 == 0 ? "./" + (i - 1) : "http://other.example/" + (i - 1));
    }

    var followed = fetch("http://page.example/5");
    assertThat(followed.path("text").asText()).isEqualTo("arrived");
    assertThat(followed.path("url").asText()).isEqualTo("http://other.example/0");

    assertThat(fetch("http://page.example/6").path("summary").asText())
        .isEqualTo("more than 5 redirects");
  }

  @Test
  void noRedirectLeadsToADomainThatARuleDeniesOrAsksAbout() throws Exception {
    web.redirect("/away", 302, "http://other.example/0");
    web.page("/0", "text/plain", "arrived");

    web.denied.put("other.example", "WebFetch(domain:other.example)");
    assertThat(fetch("http://page.example/away").path("summary").asText())
        .contains("other.example", "WebFetch(domain:other.example)");

    web.denied.clear();
    web.askedAbout.put("other.example", "WebFetch(domain:other.example)");
    assertThat(fetch("http://page.example/away").path("success").asBoolean()).isFalse();

    web.askedAbout.put("other.example", "WebFetch");
    web.askedAbout.put("page.example", "WebFetch");
    assertThat(fetch("http://page.example/away").path("text").asText()).isEqualTo("arrived");
  }

  @Test
  void aBodyIsReadUpTo2MiB() throws Exception {
    web.page("/endless", this::endless);

    var result = fetch("http://page.example/endless");

    assertThat(result.path("success").asBoolean()).isTrue();
    assertThat(result.path("truncated").asBoolean()).isTrue();
    assertThat(result.path("text").asText()).hasSize(64_000);
  }

  // Ends when the other side has gone.
  private void endless(HttpExchange exchange) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", "text/plain");
    exchange.sendResponseHeaders(200, 0);
    var piece = "x".repeat(65_536).getBytes(StandardCharsets.UTF_8);
    try {
      while (true) {
        exchange.getResponseBody().write(piece);
      }
    } catch (IOException gone) {
      endlessGone.countDown();
    }
  }

  private final CountDownLatch endlessGone = new CountDownLatch(1);

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "deflate", "raw deflate"})
  void whatUnpacksToGigabytesIsCutAtTheSameBound(String encoding) throws Exception {
    web.page(
        "/bomb",
        exchange -> {
          exchange.getResponseHeaders().set("Content-Type", "text/plain");
          exchange.getResponseHeaders().set("Content-Encoding", encoding.replace("raw ", ""));
          var bomb = packed(encoding, 300);
          exchange.sendResponseHeaders(200, bomb.length);
          exchange.getResponseBody().write(bomb);
        });

    var result = fetch("http://page.example/bomb");

    assertThat(result.path("success").asBoolean()).isTrue();
    assertThat(result.path("truncated").asBoolean()).isTrue();
    assertThat(result.path("text").asText()).startsWith("zzz").hasSize(64_000);
  }

  private static byte[] packed(String encoding, int mebibytes) throws IOException {
    var out = new ByteArrayOutputStream();
    var piece = "z".repeat(1 << 20).getBytes(StandardCharsets.UTF_8);
    try (var packer =
        encoding.equals("gzip")
            ? new GZIPOutputStream(out)
            : new DeflaterOutputStream(out, new Deflater(9, encoding.startsWith("raw")))) {
      for (int i = 0; i < mebibytes; i++) {
        packer.write(piece);
      }
    }
    return out.toByteArray();
  }

  @Test
  void aBodyThatCannotBeUnpackedIsAFailure() throws Exception {
    web.page(
        "/broken",
        exchange -> {
          exchange.getResponseHeaders().set("Content-Encoding", "gzip");
          exchange.sendResponseHeaders(200, 3);
          exchange.getResponseBody().write(new byte[] {'x', 'y', 'z'});
        });

    assertThat(fetch("http://page.example/broken").path("summary").asText())
        .isEqualTo("the answer can't be unpacked");
  }

  @Test
  void theTextIsCutAtWhatWasAskedForAndNeverInsideACharacter() throws Exception {
    web.page("/smile", "text/plain", "ab😀cd");

    var result =
        new Calls(root)
            .result(new WebFetch(web.reader()), "{'url':'http://page.example/smile','maxChars':3}");

    assertThat(result.path("text").asText()).isEqualTo("ab");
    assertThat(result.path("truncated").asBoolean()).isTrue();
  }

  @Test
  void allOfItHasToHappenInTime() throws Exception {
    var never = new CountDownLatch(1);
    web.page("/slow", exchange -> never.await());

    var result =
        new Calls(root)
            .result(
                new WebFetch(web.reader(Duration.ofSeconds(1))),
                "{'url':'http://page.example/slow'}");
    never.countDown();

    assertThat(result.path("summary").asText()).isEqualTo("no whole answer within 1 s");
  }

  @Test
  void aCancelClosesTheConnection() throws Exception {
    var begun = new CountDownLatch(1);
    web.page(
        "/stream",
        exchange -> {
          begun.countDown();
          exchange.getResponseHeaders().set("Content-Type", "text/plain");
          exchange.sendResponseHeaders(200, 0);
          try {
            for (int i = 0; i < 600; i++) {
              exchange.getResponseBody().write('.');
              exchange.getResponseBody().flush();
              Thread.sleep(50);
            }
          } catch (IOException gone) {
            endlessGone.countDown();
          }
        });
    var end = new AtomicReference<Throwable>();
    var caller =
        Thread.startVirtualThread(
            () -> {
              try {
                fetch("http://page.example/stream");
              } catch (Exception stopped) {
                end.set(stopped);
              }
            });
    begun.await();

    caller.interrupt();

    await().atMost(Duration.ofSeconds(30)).until(() -> end.get() instanceof InterruptedException);
    await().atMost(Duration.ofSeconds(30)).until(() -> endlessGone.getCount() == 0);
  }

  @Test
  void anAddressIsReadAsPeopleWriteIt() throws Exception {
    web.name("xn--fiq228c.example", PublicWeb.PUBLIC);
    web.page("/a b/ü", "text/plain", "found");

    var result = fetch("  HTTP://中文.example/a b/ü?q=1|2#part ");

    assertThat(result.path("text").asText()).isEqualTo("found");
    assertThat(web.asked).containsExactly("xn--fiq228c.example");
  }

  @Test
  void aHostThatIsNotThereIsSaidToBeMissing() throws Exception {
    assertThat(fetch("http://nowhere.example/").path("summary").asText())
        .isEqualTo("The host nowhere.example cannot be found");
  }

  @Test
  void aMissingAddressIsTheCallersMistake() {
    assertThatThrownBy(() -> new Calls(root).text(new WebFetch(web.reader()), "{}"))
        .hasMessageContaining("'url'");
  }

  private JsonNode fetch(String url) throws Exception {
    return new Calls(root).result(new WebFetch(web.reader()), "{\"url\":\"" + url + "\"}");
  }
}
