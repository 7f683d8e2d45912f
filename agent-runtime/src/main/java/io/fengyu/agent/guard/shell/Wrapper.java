package io.fengyu.agent.guard.shell;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A program that runs another one, given after its own options.
 *
 * @param valued options that take the next word as their value
 * @param operands words of its own between the options and the command
 * @param assignments true when {@code NAME=value} may stand before the command
 * @param quiet true when it changes nothing about what the command does
 */
record Wrapper(Set<String> valued, int operands, boolean assignments, boolean quiet) {

  private static final Map<String, Wrapper> ALL =
      Map.ofEntries(
          quiet("nice", 0, "-n", "--adjustment"),
          quiet("nohup", 0),
          quiet("command", 0),
          quiet("builtin", 0),
          quiet("exec", 0, "-a"),
          quiet("time", 0, "-f", "--format", "-o", "--output"),
          quiet("timeout", 1, "-k", "--kill-after", "-s", "--signal"),
          quiet("setsid", 0),
          quiet("stdbuf", 0, "-i", "-o", "-e", "--input", "--output", "--error"),
          quiet("ionice", 0, "-c", "-n", "--class", "--classdata"),
          Map.entry(
              "env",
              new Wrapper(
                  Set.of("-u", "--unset", "-C", "--chdir", "-a", "--argv0", "-S", "--split-string"),
                  0,
                  true,
                  true)),
          loud("busybox", 0),
          loud("toybox", 0),
          loud(
              "xargs",
              0,
              "-a",
              "-d",
              "-E",
              "-I",
              "-L",
              "-n",
              "-P",
              "-s",
              "--arg-file",
              "--delimiter",
              "--max-args",
              "--max-lines",
              "--max-procs",
              "--max-chars",
              "--process-slot-var"),
          loud("parallel", 0, "-j", "--jobs", "-a", "--arg-file", "-n", "-N", "-I", "--joblog"),
          Map.entry(
              "sudo",
              new Wrapper(
                  Set.of(
                      "-u",
                      "-g",
                      "-h",
                      "-p",
                      "-C",
                      "-r",
                      "-t",
                      "-T",
                      "-U",
                      "-D",
                      "-R",
                      "--user",
                      "--group",
                      "--host",
                      "--prompt",
                      "--chdir",
                      "--chroot",
                      "--role",
                      "--type"),
                  0,
                  true,
                  false)),
          loud("doas", 0, "-u", "-C"),
          loud("gosu", 1),
          loud("su-exec", 1),
          loud("setpriv", 0, "--reuid", "--regid", "--groups", "--inh-caps", "--bounding-set"),
          loud("runuser", 0, "-u", "-g", "-G"),
          loud("chroot", 1, "--userspec", "--groups"),
          loud("unshare", 0, "-S", "-G", "-R", "-w", "--map-user", "--map-group", "--wd", "--root"),
          loud("nsenter", 0, "-t", "--target", "-S", "-G"),
          loud("chrt", 1, "-T", "-P", "-D"),
          loud("taskset", 1),
          loud("numactl", 0, "-m", "-N", "-C", "-i", "-p"),
          loud("flock", 1, "-w", "--timeout", "-E"),
          loud("strace", 0, "-o", "-e", "-p", "-s", "-u", "-E", "-P"),
          loud("ltrace", 0, "-o", "-e", "-p", "-s", "-u"),
          loud("unbuffer", 0),
          loud("watch", 0, "-n", "--interval"),
          loud("fakeroot", 0, "-l", "-s", "-i"),
          loud("proot", 0, "-r", "-b", "-w"),
          loud("firejail", 0),
          loud("bwrap", 0),
          loud("systemd-run", 0, "-p", "--unit", "-u", "--property", "--uid", "--gid"),
          loud("catchsegv", 0),
          loud("rlwrap", 0),
          loud("tini", 0),
          loud("dumb-init", 0),
          loud("caffeinate", 0, "-t", "-w"),
          loud("cpulimit", 0, "-l", "-p", "-e"),
          loud("eatmydata", 0),
          loud("torsocks", 0),
          loud("proxychains", 0, "-f"),
          loud("noglob", 0),
          loud("nocorrect", 0),
          loud("prlimit", 0, "-p", "--pid", "-o", "--output"),
          loud("setarch", 0),
          loud("linux32", 0),
          loud("linux64", 0),
          loud("i386", 0),
          loud("x86_64", 0),
          loud("choom", 0, "-n", "-p", "--adjust", "--pid"),
          loud("uclampset", 0, "-m", "-M", "-p"),
          loud("xvfb-run", 0, "-n", "-s", "-e", "-f", "-p", "-w", "--server-num", "--server-args"),
          loud("dbus-run-session", 0),
          loud("dbus-launch", 0),
          loud("ssh-agent", 0, "-a", "-t", "-E", "-P", "-O"),
          loud("valgrind", 0),
          loud("perf", 1, "-e", "-o", "-F"),
          loud("faketime", 1),
          loud("entr", 0),
          loud("with-contenv", 0),
          loud("start-stop-daemon", 0, "--pidfile", "-p", "--chuid", "-c"));

  private static final Wrapper LOADER =
      new Wrapper(
          Set.of("--library-path", "--preload", "--argv0", "--inhibit-rpath", "--audit"),
          0,
          false,
          false);

  private static Map.Entry<String, Wrapper> quiet(String name, int operands, String... valued) {
    return Map.entry(name, new Wrapper(Set.of(valued), operands, false, true));
  }

  private static Map.Entry<String, Wrapper> loud(String name, int operands, String... valued) {
    return Map.entry(name, new Wrapper(Set.of(valued), operands, false, false));
  }

  static @Nullable Wrapper of(String base) {
    return isLoader(base) ? LOADER : ALL.get(base);
  }

  // The program that the kernel starts others with can be called by its name, too.
  private static boolean isLoader(String base) {
    return base.startsWith("ld-linux") || base.startsWith("ld-musl") || base.startsWith("ld.so");
  }

  /** Index of the command's name; the number of words when none follows. */
  int command(List<Word> words, int name) {
    int at = name + 1;
    while (at < words.size()) {
      var text = words.get(at).text();
      if (text.equals("--")) {
        at++;
        break;
      }
      if (valued.contains(text)) {
        at += 2;
      } else if (text.length() > 1 && (text.charAt(0) == '-' || isOldNice(text))) {
        at++;
      } else if (assignments && Names.isAssignment(words.get(at))) {
        at++;
      } else {
        break;
      }
    }
    int found = Math.min(at, words.size()) + operands;
    while (assignments && found < words.size() && Names.isAssignment(words.get(found))) {
      found++;
    }
    return Math.min(found, words.size());
  }

  private static boolean isOldNice(String text) {
    return text.charAt(0) == '+' && Character.isDigit(text.charAt(1));
  }
}
