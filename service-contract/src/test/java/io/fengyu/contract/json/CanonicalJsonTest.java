package io.fengyu.contract.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;

class CanonicalJsonTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  @Test
  void orderSpaceAndSpellingDoNotMatter() throws Exception {
    var one =
        JSON.readTree("{\"b\":[1,2.50,{\"y\":null,\"x\":\"a\\n\\u00e9\"}], \"a\" : {} ,\"c\":[]}");
    var other = JSON.readTree("{\"a\":{},\"c\":[],\"b\":[1.0,2.5,{\"x\":\"a\\né\",\"y\":null}]}");

    assertThat(CanonicalJson.text(one))
        .isEqualTo("{\"a\":{},\"b\":[1,2.5,{\"x\":\"a\\né\",\"y\":null}],\"c\":[]}")
        .isEqualTo(CanonicalJson.text(other));
    assertThat(CanonicalJson.sha256(one)).isEqualTo(CanonicalJson.sha256(other)).hasSize(64);
  }

  @Test
  void differentValuesDiffer() throws Exception {
    assertThat(CanonicalJson.text(JSON.readTree("[\"1\"]")))
        .isNotEqualTo(CanonicalJson.text(JSON.readTree("[1]")));
    assertThat(CanonicalJson.text(JSON.readTree("[0.0,-0.0,0]"))).isEqualTo("[0,0,0]");
  }
}
