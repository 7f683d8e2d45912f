package io.fengyu.agent.tool.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.tool.Calls;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RefusedTargetsTest {

  private static final String REFUSED = "private or local address refused";

  @TempDir private Path root;
  private PublicWeb web;

  @BeforeEach
  void start() throws IOException {
    web = new PublicWeb();
    web.name("public.example", PublicWeb.PUBLIC);
    web.page("/secret", "text/plain", "the secret");
  }

  @AfterEach
  void stop() {
    web.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://127.0.0.1/secret",
        "http://127.1/secret",
        "http://127.0.0.1:8082/secret",
        "http://localhost/secret",
        "http://LOCALHOST./secret",
        "http://2130706433/secret",
        "http://017700000001/secret",
        "http://0177.0.0.1/secret",
        "http://0x7f000001/secret",
        "http://0x7f.0x0.0x0.0x1/secret",
        "http://127。0。0。1/secret",
        "http://①②⑦.⓪.⓪.①/secret",
        "http://%31%32%37.0.0.1/secret",
        "http://0.0.0.0/secret",
        "http://0/secret",
        "http://10.0.0.1/secret",
        "http://172.16.0.1/secret",
        "http://172.31.255.255/secret",
        "http://192.168.1.1/secret",
        "http://100.64.0.1/secret",
        "http://169.254.169.254/latest/meta-data/",
        "http://100.100.100.200/secret",
        "http://224.0.0.1/secret",
        "http://240.0.0.1/secret",
        "http://255.255.255.255/secret",
        "http://198.18.0.1/secret",
        "http://192.0.2.1/secret",
        "http://[::1]/secret",
        "http://[::]/secret",
        "http://[::ffff:127.0.0.1]/secret",
        "http://[::ffff:7f00:1]/secret",
        "http://[::127.0.0.1]/secret",
        "http://[::ffff:0:127.0.0.1]/secret",
        "http://[64:ff9b::7f00:1]/secret",
        "http://[64:ff9b:1::a00:1]/secret",
        "http://[2002:7f00:1::]/secret",
        "http://[2001:0:1::1]/secret",
        "http://[2606:4700::5efe:10.0.0.1]/secret",
        "http://[fc00::1]/secret",
        "http://[fe80::1%25eth0]/secret",
        "http://[fec0::1]/secret",
        "http://[ff02::1]/secret",
        "http://[fd00:ec2::254]/secret",
        "http://public.example@127.0.0.1/secret",
        "http://user:password@public.example/secret",
        "http://public.example:80@localhost/secret",
        "http:\\\\127.0.0.1\\secret",
        "http:///secret",
        "http:secret",
        "//public.example/secret",
        "file:///etc/passwd",
        "ftp://public.example/secret",
        "gopher://127.0.0.1:6379/_INFO",
        "jar:http://public.example/a.jar!/secret",
        "javascript:alert(1)",
        "data:text/plain,secret"
      })
  void localAndPrivateTargetsAreRefusedInEverySpelling(String url) throws Exception {
    var result = fetch(url);

    assertThat(result.path("success").asBoolean()).isFalse();
    assertThat(result.path("summary").asText()).endsWith(REFUSED).doesNotContain("password");
    assertThat(web.asked).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "10.1.2.3",
        "169.254.169.254",
        "::1",
        "fd12::1",
        "::ffff:192.168.0.1",
        "64:ff9b::c0a8:1",
        "2002:a00:1::",
        "93.184.216.34 127.0.0.1",
        "2606:4700::1111 10.0.0.1"
      })
  void aNameIsWorthWhatTheWorstOfItsAddressesIs(String addresses) throws Exception {
    web.name("trap.example", addresses);

    var result = fetch("https://trap.example/secret");

    assertThat(result.path("summary").asText()).endsWith(REFUSED);
    assertThat(web.asked).isEmpty();
  }

  @Test
  void theCheckedAddressIsTheOneConnectedTo() throws Exception {
    web.name("rebinding.example", PublicWeb.PUBLIC, "127.0.0.1");

    var result = fetch("http://rebinding.example/secret");

    assertThat(result.path("success").asBoolean()).isTrue();
    assertThat(web.lookups).containsEntry("rebinding.example", 1);
    assertThat(web.dialled).hasSize(1);
    assertThat(web.dialled.getFirst().getAddress().getHostAddress()).isEqualTo(PublicWeb.PUBLIC);
  }

  @Test
  void aNameIsLookedUpAgainForEveryRedirectToIt() throws Exception {
    web.name("rebinding.example", PublicWeb.PUBLIC, "127.0.0.1");
    web.redirect("/again", 302, "/secret");

    var result = fetch("http://rebinding.example/again");

    assertThat(result.path("summary").asText()).endsWith(REFUSED);
    assertThat(web.asked).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({
    "301, http://127.0.0.1/secret",
    "302, http://localhost:8082/secret",
    "303, http://[::1]/secret",
    "307, http://[::ffff:10.0.0.1]/secret",
    "308, http://169.254.169.254/latest",
    "302, //192.168.0.1/secret",
    "302, https://trap.example/secret",
    "302, file:///etc/passwd",
    "302, http://2130706433/secret",
    "302, http://user:secret@public.example/secret"
  })
  void everyHopIsCheckedAgain(int status, String location) throws Exception {
    web.name("trap.example", "10.0.0.9");
    web.redirect("/hop", status, location);

    var result = fetch("http://public.example/hop");

    assertThat(result.path("success").asBoolean()).isFalse();
    assertThat(result.path("summary").asText()).endsWith(REFUSED);
    assertThat(web.asked).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://127.0.0.1/secret",
        "http://0x7f.1/",
        "http://trap.example/",
        "file:///etc/passwd",
        "http://u:p@public.example/",
        " HTTP://[::1]/ "
      })
  void aSearchIsNoWayToHaveSuchAnAddressCalledByOthers(String query) throws Exception {
    web.name("trap.example", "10.0.0.9");
    var search = new WebSearch(web.reader(), web.rules(), endpoint("http://public.example/find"));

    var result = new Calls(root).result(search, "{\"query\":\"" + query + "\"}");

    assertThat(result.path("success").asBoolean()).isFalse();
    assertThat(result.path("summary").asText()).endsWith(REFUSED);
    assertThat(web.asked).isEmpty();
  }

  private static SearchEndpoint endpoint(String address) {
    return new SearchEndpoint(() -> Optional.of(address));
  }

  private JsonNode fetch(String url) throws Exception {
    var args = Calls.json("{}").deepCopy();
    ((ObjectNode) args).put("url", url);
    return new Calls(root).result(new WebFetch(web.reader()), args.toString());
  }
}
