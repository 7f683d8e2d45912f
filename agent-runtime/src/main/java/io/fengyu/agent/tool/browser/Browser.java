package io.fengyu.agent.tool.browser;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.process.Children;
import io.fengyu.agent.tool.ToolException;
import io.vertx.core.Vertx;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** The one browser of this service: started or connected to when first needed. */
@Singleton
class Browser {

  private static final Logger LOG = Logger.getLogger(Browser.class);
  private static final Duration READY_WITHIN = Duration.ofSeconds(30);

  private final Vertx vertx;
  private final Children children;
  private final Optional<URI> remote;
  private final Optional<Path> program;
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable Cdp open;

  @Inject
  Browser(Vertx vertx, Children children, BrowserConfig config) {
    this(
        vertx,
        children,
        config.cdpUrl().map(Browser::address),
        config.local() ? Chromium.find(System.getenv("PATH")) : Optional.empty());
  }

  Browser(Vertx vertx, Children children, Optional<URI> remote, Optional<Path> program) {
    this.vertx = vertx;
    this.children = children;
    this.remote = remote;
    this.program = program;
  }

  private static URI address(String written) {
    var address = URI.create(written.strip());
    var scheme = String.valueOf(address.getScheme());
    if (address.getHost() == null || !scheme.matches("wss?|https?")) {
      throw new IllegalArgumentException(
          "BROWSER_CDP_URL must be a ws, wss, http or https address");
    }
    return address;
  }

  /** True when there is one to try. */
  boolean known() {
    return remote.isPresent() || program.isPresent();
  }

  /** True when it is somebody else's, who decides about its network too. */
  boolean remote() {
    return remote.isPresent();
  }

  /** The connection to it. Blocks. */
  Cdp open() throws BrowserGoneException, InterruptedException {
    lock.lockInterruptibly();
    try {
      var cdp = open;
      if (cdp == null || cdp.isGone()) {
        cdp = connect();
        open = cdp;
      }
      return cdp;
    } finally {
      lock.unlock();
    }
  }

  private Cdp connect() throws BrowserGoneException, InterruptedException {
    var cdp = new Cdp(wire(), () -> LOG.debug("The browser is gone"));
    try {
      var version = cdp.call("", "Browser.getVersion", Cdp.params(), READY_WITHIN);
      LOG.infof("Browser: %s", version.path("product").asText());
      return cdp;
    } catch (ToolException notReady) {
      cdp.close();
      throw new BrowserGoneException("the browser does not get ready");
    } catch (BrowserGoneException | InterruptedException | RuntimeException e) {
      cdp.close();
      throw e;
    }
  }

  private Wire wire() throws BrowserGoneException, InterruptedException {
    if (remote.isPresent()) {
      return SocketWire.connect(vertx, remote.get());
    }
    var found = program.orElseThrow(() -> new BrowserGoneException("there is no browser"));
    try {
      return Chromium.start(children, found);
    } catch (IOException notStarted) {
      throw new BrowserGoneException("the browser can't be started: " + notStarted.getMessage());
    }
  }

  /** A request to the browser itself. Blocks. */
  static JsonNode ask(Cdp cdp, String method, ObjectNode params)
      throws BrowserGoneException, ToolException, InterruptedException {
    return cdp.call("", method, params, READY_WITHIN);
  }

  /** Ends the connection, and the process if it is ours. Blocks. */
  void close() {
    Cdp cdp;
    lock.lock();
    try {
      cdp = open;
      open = null;
    } finally {
      lock.unlock();
    }
    if (cdp != null) {
      cdp.close();
    }
  }
}
