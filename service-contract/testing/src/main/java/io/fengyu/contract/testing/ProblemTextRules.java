package io.fengyu.contract.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Every problem can be said in English and in Chinese, with the same parameters. */
final class ProblemTextRules {

  private static final Pattern CODE = Pattern.compile("Problem\\s*\\.of\\(\\s*\\d+,\\s*\"(\\w+)\"");
  private static final Pattern PARAMETER = Pattern.compile("\\{\\w+}");

  private ProblemTextRules() {}

  static void check() {
    var english = texts("en");
    var chinese = texts("zh");
    assertThat(english.stringPropertyNames()).isEqualTo(chinese.stringPropertyNames());
    for (var key : english.stringPropertyNames()) {
      assertThat(english.getProperty(key)).as(key).isNotBlank();
      assertThat(parameters(chinese, key)).as(key).isEqualTo(parameters(english, key));
      assertThat(english.stringPropertyNames()).contains(other(key));
    }
    assertThat(english.stringPropertyNames())
        .containsAll(codes().stream().map(code -> code + ".title").toList());
  }

  private static String other(String key) {
    return key.endsWith(".title")
        ? key.replace(".title", ".detail")
        : key.replace(".detail", ".title");
  }

  private static Set<String> parameters(Properties texts, String key) {
    return PARAMETER
        .matcher(texts.getProperty(key))
        .results()
        .map(match -> match.group())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Codes that the module's own sources name. */
  private static Set<String> codes() {
    var sources = Path.of("src/main/java");
    if (!Files.isDirectory(sources)) {
      return new TreeSet<>();
    }
    try (Stream<Path> files = Files.walk(sources)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .flatMap(file -> CODE.matcher(read(file)).results())
          .map(match -> match.group(1))
          .collect(Collectors.toCollection(TreeSet::new));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private static Properties texts(String language) {
    var all = new Properties();
    var loader = ProblemTextRules.class.getClassLoader();
    try {
      for (var file :
          Collections.list(loader.getResources("problems/" + language + ".properties"))) {
        try (var in = new InputStreamReader(file.openStream(), StandardCharsets.UTF_8)) {
          all.load(in);
        }
      }
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
    return all;
  }
}
