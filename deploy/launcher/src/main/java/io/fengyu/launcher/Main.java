package io.fengyu.launcher;

import java.io.IOException;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * Starts the whole system and stays until it is told to stop, or passes a command on to the
 * launcher that runs already.
 */
public final class Main {

  private Main() {}

  /** Without a command, {@code up}. */
  public static void main(String[] args) {
    try {
      System.exit(run(args));
    } catch (LaunchException refused) {
      System.err.println(refused.getMessage());
      System.exit(1);
    }
  }

  private static int run(String[] args) {
    try {
      if (args.length > 1 && args[0].equals("unpack-postgres")) {
        PostgresFiles.unpack(Path.of(args[1]));
        return 0;
      }
      if (args.length > 2 && args[0].equals("set-up-database")) {
        DatabaseSetup.run(Integer.parseInt(args[1]), DataDirectory.open(Path.of(args[2])));
        return 0;
      }
      var options = Options.parse(args, System.getenv());
      var command = options.words().isEmpty() ? "up" : options.words().getFirst();
      return switch (command) {
        case "up" -> up(options, false);
        case "train" -> up(options, true);
        default -> control(options);
      };
    } catch (IOException | java.sql.SQLException failed) {
      throw new LaunchException(
          failed.getMessage() == null ? failed.toString() : failed.getMessage(), failed);
    }
  }

  private static int up(Options options, boolean training) throws IOException {
    var directory = DataDirectory.open(options.dataDir());
    var lock = DataDirectory.lock(directory.root());
    if (lock == null) {
      throw new LaunchException(
          "FengYu Server runs already on "
              + directory.root()
              + " (./fengyu status, ./fengyu down)");
    }
    try {
      return up(options, directory, training);
    } finally {
      lock.release();
    }
  }

  private static int up(Options options, DataDirectory directory, boolean training)
      throws IOException {
    var port = Ports.freeOr(options.port());
    if (options.port() != 0 && port != options.port()) {
      Log.say("Port " + options.port() + " is taken; using " + port + " instead");
    }
    var java = Path.of(System.getProperty("java.home"), "bin", "java");
    var stack =
        new Stack(directory, home(), java, directory.token(options.token()), port, training);
    var stop = new CountDownLatch(1);
    var stopped = new CountDownLatch(1);
    var control =
        new Control(
            DataDirectory.socket(directory.root()), words -> carryOut(stack, words, stop, stopped));
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> shutDown(stack, stop, stopped), "shut-down"));
    try {
      control.start();
      stack.start();
      announce(stack, directory);
      if (training) {
        train(stack);
      } else {
        stop.await();
      }
      return 0;
    } catch (InterruptedException stopNow) {
      Thread.currentThread().interrupt();
      return 1;
    } finally {
      stack.stopAll();
      control.close();
      stopped.countDown();
    }
  }

  private static void announce(Stack stack, DataDirectory directory) {
    System.out.println("FENGYU_PORT=" + stack.port());
    System.out.println("FengYu Server is ready at http://localhost:" + stack.port() + "/");
    System.out.println("The token is in " + directory.tokenFile());
    System.out.flush();
  }

  /** The main thread stops everything, also what just starts; others wake it and wait for it. */
  private static void shutDown(Stack stack, CountDownLatch stop, CountDownLatch stopped) {
    stack.giveUp();
    stop.countDown();
    try {
      stopped.await();
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
  }

  /** Uses what every start uses, so that its classes are in the archive written at the end. */
  private static void train(Stack stack) {
    for (var path :
        List.of("/api/health", "/", "/api/workflows", "/api/agent/runs", "/api/nothing")) {
      Http.get(stack.port(), path);
    }
  }

  private static List<String> carryOut(
      Stack stack, List<String> words, CountDownLatch stop, CountDownLatch stopped) {
    var argument = words.size() > 1 ? words.get(1) : "";
    var which = words.size() > 2 ? argument + "-" + words.get(2) : argument;
    switch (words.getFirst()) {
      case "down" -> shutDown(stack, stop, stopped);
      case "status" -> {
        return stack.status();
      }
      case "start" -> stack.startService(which);
      case "stop" -> stack.stopService(which);
      case "kill" -> stack.kill(which);
      case "restart" -> {
        stack.stopService(which);
        stack.startService(which);
      }
      case "scale" -> stack.scale(argument, number(words));
      default -> throw new LaunchException("Unknown command " + words.getFirst());
    }
    return List.of();
  }

  private static int number(List<String> words) {
    if (words.size() < 3 || !words.get(2).matches("[0-9]{1,3}")) {
      throw new LaunchException("How many? scale SERVICE N");
    }
    return Integer.parseInt(words.get(2));
  }

  private static int control(Options options) throws IOException {
    try {
      return Control.send(DataDirectory.socket(options.dataDir()), options.words());
    } catch (SocketException notRunning) {
      System.out.println("FengYu Server is not running on " + options.dataDir());
      return options.words().getFirst().equals("down") ? 0 : 3;
    }
  }

  /** The folder that holds the modules: three above this program's jar. */
  private static Path home() {
    var given = System.getProperty("fengyu.home");
    if (given != null) {
      return Path.of(given).toAbsolutePath();
    }
    var classPath = System.getProperty("java.class.path");
    var end = classPath.indexOf(java.io.File.pathSeparatorChar);
    var jar = Path.of(end < 0 ? classPath : classPath.substring(0, end)).toAbsolutePath();
    var home = jar.resolve("../../../..").normalize();
    if (!Files.isDirectory(home.resolve("web-console"))) {
      throw new LaunchException("The built modules are not found beside " + jar);
    }
    return home;
  }
}
