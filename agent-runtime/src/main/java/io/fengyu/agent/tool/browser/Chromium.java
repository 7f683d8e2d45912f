package io.fengyu.agent.tool.browser;

import io.fengyu.agent.process.Children;
import io.fengyu.agent.process.CleanEnvironment;
import java.io.File;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** The Chromium of this machine. */
final class Chromium {

  private static final Logger LOG = Logger.getLogger(Chromium.class);
  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome");
  private static final Pattern SEPARATOR = Pattern.compile(Pattern.quote(File.pathSeparator));

  // Nothing of it goes to the network but what pages ask for, and that through a proxy of ours:
  // each context has its own, and without one nothing is found.
  private static final List<String> FLAGS =
      List.of(
          "--headless=new",
          "--remote-debugging-pipe",
          "--proxy-server=http://127.0.0.1:9",
          "--proxy-bypass-list=<-loopback>",
          "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
          "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
          "--webrtc-ip-handling-policy=disable_non_proxied_udp",
          "--disable-quic",
          "--disable-gpu",
          "--disable-dev-shm-usage",
          "--disable-extensions",
          "--disable-sync",
          "--disable-background-networking",
          "--disable-component-update",
          "--disable-domain-reliability",
          "--disable-default-apps",
          "--disable-breakpad",
          "--disable-client-side-phishing-detection",
          "--disable-features=Translate,MediaRouter,OptimizationHints,DnsOverHttps",
          "--no-first-run",
          "--no-default-browser-check",
          "--no-pings",
          "--no-service-autorun",
          "--password-store=basic",
          "--use-mock-keychain",
          "--mute-audio",
          "--hide-scrollbars");

  private Chromium() {}

  /** Where it is. */
  static Optional<Path> find(@Nullable String searchPath) {
    if (searchPath == null) {
      return Optional.empty();
    }
    return NAMES.stream()
        .flatMap(
            name ->
                SEPARATOR.splitAsStream(searchPath).map(folder -> Path.of(folder).resolve(name)))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** Starts it with a profile that is gone afterwards. Blocks. */
  static PipeWire start(Children children, Path program) throws IOException, InterruptedException {
    var profile = Files.createTempDirectory("fengyu-browser-");
    var line = new ArrayList<String>();
    // The browser speaks on channels 3 and 4, which Java does not hand over.
    line.addAll(List.of("/bin/sh", "-c", "exec \"$@\" 3<&0 4>&1 </dev/null >/dev/null", "sh"));
    line.add(program.toString());
    line.addAll(FLAGS);
    // As root its own sandbox refuses to work.
    if ("root".equals(System.getProperty("user.name"))) {
      line.add("--no-sandbox");
    }
    line.add("--user-data-dir=" + profile);
    line.add("about:blank");
    var environment = new TreeMap<>(CleanEnvironment.inherited());
    environment.put("HOME", profile.toString());
    try {
      var child =
          children.start(new Children.Start("browser", line, profile, environment, true, false));
      return new PipeWire(child, () -> delete(profile));
    } catch (IOException | InterruptedException | RuntimeException e) {
      delete(profile);
      throw e;
    }
  }

  private static void delete(Path tree) {
    try {
      Files.walkFileTree(
          tree,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
              Files.deleteIfExists(file);
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException gone) {
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
                throws IOException {
              Files.deleteIfExists(directory);
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      LOG.warnf("The browser's profile %s can't be removed: %s", tree, e.getMessage());
    }
  }
}
