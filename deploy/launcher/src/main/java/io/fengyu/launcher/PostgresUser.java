package io.fengyu.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;

/**
 * As whom Postgres runs. It refuses to run as root, so root gives its rights away first: to an
 * ordinary user when that one can reach the files, else in a user namespace of its own, where the
 * same files are reachable without any of root's powers.
 *
 * @param prefix put before every command of Postgres
 * @param uid owner of the data files; -1 when they stay with the caller
 */
record PostgresUser(List<String> prefix, int uid, int gid) {

  static PostgresUser choose(List<Path> needed) {
    var detached = detached();
    if (!Shell.root()) {
      return new PostgresUser(detached, -1, -1);
    }
    var ids = ordinaryUser();
    if (Shell.has("setpriv") && needed.stream().allMatch(PostgresUser::reachableByOthers)) {
      var prefix = new ArrayList<>(detached);
      prefix.addAll(
          List.of("setpriv", "--reuid=" + ids[0], "--regid=" + ids[1], "--clear-groups", "--"));
      return new PostgresUser(prefix, ids[0], ids[1]);
    }
    if (Shell.works(List.of("unshare", "--user", "true"))) {
      var prefix = new ArrayList<>(detached);
      prefix.addAll(List.of("unshare", "--user", "--"));
      return new PostgresUser(prefix, 0, 0);
    }
    throw new LaunchException(
        "Postgres does not run as root, and no other user can reach "
            + needed.getLast()
            + ": start as an ordinary user, or put --data-dir where everyone may enter");
  }

  /** Keeps Ctrl-C in a terminal from reaching a child directly. */
  static List<String> detached() {
    return Shell.has("setsid") ? List.of("setsid") : List.of();
  }

  /** Hands the files to this user, unless it has them already. */
  void own(Path folder) throws IOException {
    if (uid < 0 || Files.getAttribute(folder, "unix:uid").equals(uid)) {
      if (uid < 0 || allOwned(folder)) {
        return;
      }
    }
    try (var files = Files.walk(folder)) {
      for (var file : files.toList()) {
        Files.setAttribute(file, "unix:uid", uid);
        Files.setAttribute(file, "unix:gid", gid);
      }
    }
  }

  private boolean allOwned(Path folder) throws IOException {
    try (var children = Files.list(folder)) {
      for (var child : children.toList()) {
        if (!Files.getAttribute(child, "unix:uid").equals(uid)) {
          return false;
        }
      }
      return true;
    }
  }

  private static boolean reachableByOthers(Path path) {
    try {
      for (var part = path.toRealPath(); part != null; part = part.getParent()) {
        var permissions = Files.getPosixFilePermissions(part);
        if (!permissions.contains(PosixFilePermission.OTHERS_EXECUTE)) {
          return false;
        }
      }
      return true;
    } catch (IOException unknown) {
      return false;
    }
  }

  private static int[] ordinaryUser() {
    try {
      var nobody = new int[] {65534, 65534};
      for (var line : Files.readAllLines(Path.of("/etc/passwd"))) {
        var fields = line.split(":", -1);
        if (fields[0].equals("nobody") && fields.length > 3) {
          nobody = new int[] {Integer.parseInt(fields[2]), Integer.parseInt(fields[3])};
        }
      }
      return nobody;
    } catch (IOException unreadable) {
      return new int[] {65534, 65534};
    }
  }
}
