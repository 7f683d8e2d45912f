package io.fengyu.contract.problem;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Titles and details of all problems of all modules, in English and Chinese. */
public final class ProblemTexts {

  static final String ENGLISH = "en";
  static final String CHINESE = "zh";

  private static final Pattern PARAMETER = Pattern.compile("\\{(\\w+)}");

  private final Map<String, Properties> languages =
      Map.of(ENGLISH, merged(ENGLISH), CHINESE, merged(CHINESE));

  String title(String code, String language) {
    return text(code + ".title", language, code);
  }

  /** With the problem's parameters filled in. */
  String detail(Problem problem, String language) {
    var params = new HashMap<>(problem.members());
    params.putAll(problem.params());
    return fill(text(problem.code() + ".detail", language, problem.code()), params);
  }

  /** The first language of the header that the texts exist in, by its weights; else English. */
  static String language(@Nullable String acceptLanguage) {
    if (acceptLanguage == null) {
      return ENGLISH;
    }
    var best = ENGLISH;
    var bestWeight = 0.0;
    for (var range : ranges(acceptLanguage)) {
      var supported = range.getKey().startsWith(CHINESE) || range.getKey().startsWith(ENGLISH);
      if (supported && range.getValue() > bestWeight) {
        best = range.getKey().startsWith(CHINESE) ? CHINESE : ENGLISH;
        bestWeight = range.getValue();
      }
    }
    return best;
  }

  private static List<Map.Entry<String, Double>> ranges(String header) {
    try {
      return java.util.Locale.LanguageRange.parse(header).stream()
          .map(range -> Map.entry(range.getRange(), range.getWeight()))
          .toList();
    } catch (IllegalArgumentException unreadable) {
      return List.of();
    }
  }

  private String text(String key, String language, String code) {
    var texts = languages.getOrDefault(language, new Properties());
    var text = texts.getProperty(key);
    return text == null ? code : text;
  }

  private static String fill(String text, Map<String, Object> params) {
    return PARAMETER
        .matcher(text)
        .replaceAll(
            match ->
                Matcher.quoteReplacement(
                    String.valueOf(params.getOrDefault(match.group(1), match.group()))));
  }

  private static Properties merged(String language) {
    var all = new Properties();
    try {
      var loader = Thread.currentThread().getContextClassLoader();
      for (var file :
          Collections.list(loader.getResources("problems/" + language + ".properties"))) {
        load(file, all);
      }
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
    return all;
  }

  private static void load(URL file, Properties into) throws IOException {
    try (var reader = new InputStreamReader(file.openStream(), StandardCharsets.UTF_8)) {
      into.load(reader);
    }
  }
}
