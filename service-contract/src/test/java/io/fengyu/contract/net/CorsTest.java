package io.fengyu.contract.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class CorsTest {

  @Test
  void isOffWithoutAnOrigin() {
    assertThat(Cors.parse("").on()).isFalse();
    assertThat(Cors.parse(" https://a.example , http://b.example:8080 ").on()).isTrue();
  }

  @Test
  void whatIsNoOriginIsNamed() {
    for (var wrong : List.of("a.example", "https://a.example/", "https://a.example/x", "ftp://a")) {
      assertThatThrownBy(() -> Cors.parse(wrong))
          .hasMessageContaining("CORS_ORIGINS")
          .hasMessageContaining(wrong);
    }
  }
}
