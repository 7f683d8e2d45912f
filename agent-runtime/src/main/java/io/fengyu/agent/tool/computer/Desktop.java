package io.fengyu.agent.tool.computer;

import io.fengyu.agent.process.Child;
import io.fengyu.agent.process.Children;
import io.fengyu.agent.process.CleanEnvironment;
import io.fengyu.agent.tool.ToolException;
import io.quarkus.runtime.ShutdownEvent;
import io.vertx.core.Vertx;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** The display of this machine, worked by a program that is there while it is used. */
@Singleton
class Desktop {

  /** What is said where there is none. */
  static final String UNAVAILABLE = "computer use unavailable: no display";

  private static final Logger LOG = Logger.getLogger(Desktop.class);
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(20);
  private static final Duration END_PATIENCE = Duration.ofSeconds(3);
  private static final Pattern TAB = Pattern.compile("\t");
  // Said by its reader when nothing more comes.
  private static final String SILENCE = "";

  private final Vertx vertx;
  private final Children children;
  private final Optional<String> display;
  private final Duration idle;
  private final ReentrantLock lock = new ReentrantLock();
  private final BlockingQueue<String> answers = new LinkedBlockingQueue<>(64);
  private volatile @Nullable Child program;
  private long usedAt;

  @Inject
  Desktop(Vertx vertx, Children children, ComputerConfig config) {
    this(vertx, children, config.display(), Duration.ofMinutes(5));
  }

  Desktop(Vertx vertx, Children children, Optional<String> display, Duration idle) {
    this.vertx = vertx;
    this.children = children;
    this.display = display.filter(name -> !name.isBlank());
    this.idle = idle;
  }

  /** False where there is certainly nothing to see. */
  boolean present() {
    return display.isPresent() || !system().equals("linux");
  }

  /** {@code linux}, {@code windows} or {@code mac}. */
  static String system() {
    var name = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    return name.contains("win") ? "windows" : name.contains("mac") ? "mac" : "linux";
  }

  /** What programs on the display need to find it. */
  Map<String, String> environment() {
    var environment = new TreeMap<>(CleanEnvironment.inherited());
    display.ifPresent(name -> environment.put("DISPLAY", name));
    return environment;
  }

  /**
   * The words of an answer. Blocks.
   *
   * @throws ToolException with {@link #UNAVAILABLE} when there is no display after all
   */
  List<String> ask(String... words) throws ToolException, InterruptedException {
    lock.lockInterruptibly();
    try {
      var living = living();
      usedAt = System.nanoTime();
      living.stdin().write((String.join("\t", words) + "\n").getBytes(StandardCharsets.UTF_8));
      living.stdin().flush();
      var answer = answer();
      return answer.subList(1, answer.size());
    } catch (IOException gone) {
      end();
      throw new ToolException(UNAVAILABLE);
    } catch (InterruptedException stopped) {
      // What it says to this must not be taken for the answer to something else.
      end();
      throw stopped;
    } finally {
      lock.unlock();
    }
  }

  private List<String> answer() throws ToolException, InterruptedException {
    var line = answers.poll(ANSWER_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
    if (line == null || line.equals(SILENCE)) {
      end();
      throw new ToolException(UNAVAILABLE);
    }
    var answer = List.of(TAB.split(line, -1));
    if (!answer.getFirst().equals("ok")) {
      throw new ToolException(answer.getLast());
    }
    return answer;
  }

  private Child living() throws ToolException, IOException, InterruptedException {
    var known = program;
    if (known != null && known.alive()) {
      return known;
    }
    end();
    if (!present()) {
      throw new ToolException(UNAVAILABLE);
    }
    var started =
        children.start(
            new Children.Start(
                "desktop",
                line(),
                Path.of(System.getProperty("java.io.tmpdir")),
                environment(),
                true,
                false));
    program = started;
    read(started);
    try {
      answer();
    } catch (ToolException notThere) {
      end();
      throw new ToolException(UNAVAILABLE);
    }
    watch();
    return started;
  }

  private static List<String> line() throws IOException {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var line = new ArrayList<>(List.of(java, "-Xmx128m", "-Xss256k", "-XX:+UseSerialGC"));
    line.addAll(List.of("-XX:TieredStopAtLevel=1", "-Djava.awt.headless=false"));
    try {
      var source = DesktopProgram.class.getProtectionDomain().getCodeSource().getLocation();
      line.addAll(List.of("-cp", Path.of(source.toURI()).toString()));
    } catch (URISyntaxException | RuntimeException nowhere) {
      throw new IOException("the program is not in a file", nowhere);
    }
    line.add(DesktopProgram.class.getName());
    return line;
  }

  // Reads of pipes would hold the carriers of virtual threads.
  private void read(Child child) {
    Thread.ofPlatform()
        .daemon()
        .name("desktop-out")
        .start(
            () -> {
              try (var in =
                  new BufferedReader(
                      new InputStreamReader(child.stdout(), StandardCharsets.UTF_8))) {
                for (var line = in.readLine(); line != null; line = in.readLine()) {
                  heard(child, line);
                }
              } catch (IOException gone) {
                LOG.debugf("The desktop program is gone: %s", gone.getMessage());
              } finally {
                heard(child, SILENCE);
              }
            });
    Thread.ofPlatform()
        .daemon()
        .name("desktop-err")
        .start(
            () -> {
              try (var err = child.stderr()) {
                err.transferTo(OutputStream.nullOutputStream());
              } catch (IOException gone) {
                LOG.debugf("The desktop program is gone: %s", gone.getMessage());
              }
            });
  }

  private void heard(Child child, String line) {
    if (child.equals(program) && !answers.offer(line)) {
      LOG.debug("The desktop program says more than it was asked");
    }
  }

  // Only while the program is there.
  private void watch() {
    vertx.setTimer(
        Math.max(100, idle.toMillis() / 2),
        now -> Thread.ofVirtual().name("desktop-sweep").start(this::sweep));
  }

  private void sweep() {
    lock.lock();
    try {
      if (program == null) {
        return;
      }
      if (System.nanoTime() - usedAt > idle.toNanos()) {
        end();
      } else {
        watch();
      }
    } finally {
      lock.unlock();
    }
  }

  private void end() {
    var known = program;
    program = null;
    answers.clear();
    if (known != null && !known.end(END_PATIENCE)) {
      LOG.warnf("The desktop program, process %d, can't be ended yet", known.pid());
    }
  }

  /** True while the program is there. */
  boolean running() {
    lock.lock();
    try {
      return program != null;
    } finally {
      lock.unlock();
    }
  }

  void stop(@Observes ShutdownEvent stopping) {
    close();
  }

  /** Ends the program. Blocks. */
  void close() {
    lock.lock();
    try {
      end();
    } finally {
      lock.unlock();
    }
  }
}
