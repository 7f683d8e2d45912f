package io.fengyu.agent.guard.shell;

import java.util.ArrayDeque;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Paths as a shell would see them, without looking at any disk. */
final class Paths {

  private static final Pattern DRIVE = Pattern.compile("[A-Za-z]:[/\\\\]*\\*?");
  private static final Pattern HOME =
      Pattern.compile("(~[A-Za-z0-9_-]*|\\$HOME|\\$\\{HOME[^}]*\\}|%USERPROFILE%)/*");

  private Paths() {}

  /** Doubled slashes and dots taken out. */
  static String plain(String path) {
    var parts = new ArrayDeque<String>();
    for (var part : path.split("/", -1)) {
      if (part.equals("..")) {
        parts.pollLast();
      } else if (!part.isEmpty() && !part.equals(".")) {
        parts.addLast(part);
      }
    }
    var joined = String.join("/", parts);
    return path.startsWith("/") ? "/" + joined : joined;
  }

  /** True for the root of everything, of a drive, or a home directory, or all that is in one. */
  static boolean isRoot(String target, @Nullable String directory) {
    if (target.isEmpty() || target.startsWith("-")) {
      return false;
    }
    var path = withoutPattern(target);
    if (isRootDirectory(path)) {
      return true;
    }
    boolean relative = path.isEmpty() || !"/~$".contains(path.substring(0, 1));
    return relative
        && directory != null
        && isRootDirectory(withSlash(directory) + path)
        && !DRIVE.matcher(target).matches();
  }

  private static String withSlash(String directory) {
    return directory.endsWith("/") ? directory : directory + "/";
  }

  private static boolean isRootDirectory(String path) {
    if (HOME.matcher(path).matches() || DRIVE.matcher(path).matches()) {
      return true;
    }
    int slash = path.indexOf('/');
    if (slash > 0 && HOME.matcher(path.substring(0, slash)).matches()) {
      return plain("/" + path.substring(slash)).equals("/");
    }
    return path.startsWith("/") && plain(path).equals("/");
  }

  /** Everything in a directory is the directory as good as. */
  private static String withoutPattern(String target) {
    int end = target.length();
    while (end > 0 && "*?.".indexOf(target.charAt(end - 1)) >= 0) {
      end--;
    }
    boolean wholeName = end == 0 || target.charAt(end - 1) == '/';
    boolean pattern = target.indexOf('*', end) >= 0;
    return wholeName && pattern ? target.substring(0, end) : target;
  }
}
