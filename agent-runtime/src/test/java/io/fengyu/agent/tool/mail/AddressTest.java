package io.fengyu.agent.tool.mail;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressTest {

  @ParameterizedTest
  @CsvSource({
    "a@b.example,'',a@b.example",
    "' a.b+c@b.example ','',a.b+c@b.example",
    "Zhang San <z@b.example>,Zhang San,z@b.example",
    "'\"Zhang, San\" <z@b.example>','Zhang, San',z@b.example",
    "张三 <z@例子.example>,张三,z@xn--fsqu00a.example",
    "root@localhost,'',root@localhost"
  })
  void addressesAreReadAsPeopleWriteThem(String text, String name, String email) {
    assertThat(Address.read(text)).contains(new Address(name, email));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "a",
        "@b.example",
        "a@",
        "a b@c.example",
        "a@b..example",
        "a@-b.example",
        "a@b.example, c@d.example",
        "a@b.example\r\nBcc: c@d.example",
        "a\r\nRCPT TO:<x@y.example>@b.example",
        "Name\r\nBcc: c@d.example <a@b.example>",
        "Name\u2028Bcc <a@b.example>",
        "Name <a@b.example> <c@d.example>",
        "Name <a@b.example",
        "<a@b.example>\n",
        "a@b.example>",
        "a@[127.0.0.1]",
        "\"a b\"@c.example",
        "张三@b.example",
        "a..b@c.example",
        ".a@c.example",
        "a@b.example\0"
      })
  void nothingElseIsOne(String text) {
    assertThat(Address.read(text).map(Address::email).filter(email -> !email.equals("a@b.example")))
        .isEmpty();
    assertThat(Address.read(text).map(Address::shown).orElse("")).doesNotContain("\n", "\r", "\0");
  }
}
