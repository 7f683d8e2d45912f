package io.fengyu.agent.guard.shell;

import java.util.Locale;
import java.util.Set;

/** What programs are called. */
final class Names {

  private static final Set<String> SHELLS =
      Set.of("sh", "bash", "dash", "zsh", "ksh", "ash", "mksh", "fish", "rbash", "csh", "tcsh");

  private static final Set<String> SYSTEM_DIRECTORIES =
      Set.of("/bin", "/usr/bin", "/sbin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin");

  private static final Set<String> RESERVED =
      Set.of(
          "if",
          "then",
          "elif",
          "else",
          "fi",
          "do",
          "done",
          "while",
          "until",
          "for",
          "case",
          "esac",
          "in",
          "select",
          "function",
          "{",
          "}",
          "[[",
          "]]",
          "coproc",
          "!");

  private static final Set<String> QUIET_VARIABLES =
      Set.of(
          "LANG",
          "LANGUAGE",
          "TZ",
          "CI",
          "TERM",
          "COLUMNS",
          "LINES",
          "NO_COLOR",
          "FORCE_COLOR",
          "CLICOLOR",
          "NODE_ENV",
          "RAILS_ENV",
          "RUST_LOG",
          "RUST_BACKTRACE",
          "PYTHONUNBUFFERED",
          "PYTHONDONTWRITEBYTECODE",
          "DEBIAN_FRONTEND",
          "GOOS",
          "GOARCH",
          "CGO_ENABLED");

  private Names() {}

  /** The last part of a path, without the ending of programs on Windows. */
  static String base(String name) {
    int slash = Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\'));
    var base = slash < 0 ? name : name.substring(slash + 1);
    boolean exe = base.length() > 4 && base.toLowerCase(Locale.ROOT).endsWith(".exe");
    return exe ? base.substring(0, base.length() - 4) : base;
  }

  /** True for a bare name, or one in a directory that only the system's owner writes to. */
  static boolean ofSystem(String name) {
    int slash = name.lastIndexOf('/');
    return slash < 0 || SYSTEM_DIRECTORIES.contains(name.substring(0, slash));
  }

  static boolean isShell(String base) {
    return SHELLS.contains(base);
  }

  static boolean isReserved(Word word) {
    return word.raw().equals(word.text()) && RESERVED.contains(word.text());
  }

  /** True for {@code NAME=value}, which is set before a command runs. */
  static boolean isAssignment(Word word) {
    var raw = word.raw();
    int equals = raw.indexOf('=');
    if (equals <= 0 || Character.isDigit(raw.charAt(0))) {
      return false;
    }
    int end = raw.charAt(equals - 1) == '+' ? equals - 1 : equals;
    for (int i = 0; i < end; i++) {
      char c = raw.charAt(i);
      if (c == '[') {
        return i > 0;
      }
      if (c != '_' && !(c < 128 && Character.isLetterOrDigit(c))) {
        return false;
      }
    }
    return end > 0;
  }

  /** True when setting the variable can't change which program runs or what code it loads. */
  static boolean isQuiet(Word assignment) {
    var text = assignment.text();
    var name = text.substring(0, Math.max(0, text.indexOf('=')));
    return !assignment.computed() && (QUIET_VARIABLES.contains(name) || name.startsWith("LC_"));
  }
}
