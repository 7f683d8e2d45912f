package io.fengyu.agent.process;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The environment that children inherit: no secret, nothing that loads code into them. */
public final class CleanEnvironment {

  // Anywhere in a name.
  private static final List<String> SECRET =
      List.of(
          "TOKEN",
          "SECRET",
          "PASSWORD",
          "PASSWD",
          "PASSPHRASE",
          "API_KEY",
          "APIKEY",
          "CREDENTIAL",
          "COOKIE",
          "AUTHORIZATION",
          "PRIVATE");

  // How the platform itself is told things, and what makes a program load code.
  private static final List<String> OURS =
      List.of(
          "FENGYU_",
          "DB_",
          "QUARKUS_",
          "INTERNAL_",
          "LD_",
          "DYLD_",
          "JAVA_TOOL_OPTIONS",
          "JDK_JAVA_OPTIONS",
          "_JAVA_OPTIONS",
          "NODE_OPTIONS",
          "PYTHONPATH",
          "PYTHONSTARTUP",
          "PERL5",
          "RUBYOPT",
          "BASH_ENV",
          "BASH_FUNC_");

  private static final Pattern KEY = Pattern.compile("(^|_)(KEYS?|PWD|PASS|ENV|AUTH)(_|$)");
  private static final Pattern USER_INFO = Pattern.compile("://[^/@\\s]*:[^/@\\s]*@");

  private CleanEnvironment() {}

  /** The environment of this process without what is not for children. */
  public static Map<String, String> inherited() {
    return of(System.getenv());
  }

  /** The harmless part of an environment. */
  static Map<String, String> of(Map<String, String> environment) {
    var clean = new TreeMap<>(environment);
    clean.entrySet().removeIf(entry -> harmful(entry.getKey(), entry.getValue()));
    return clean;
  }

  private static boolean harmful(String name, String value) {
    var upper = name.toUpperCase(Locale.ROOT);
    return secret(upper)
        || OURS.stream().anyMatch(upper::startsWith)
        || USER_INFO.matcher(value).find();
  }

  // The working directory of a shell is called PWD and OLDPWD.
  private static boolean secret(String upper) {
    return !upper.equals("PWD")
        && (SECRET.stream().anyMatch(upper::contains) || KEY.matcher(upper).find());
  }
}
