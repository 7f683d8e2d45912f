package io.fengyu.agent.setting;

import io.fengyu.contract.db.Listener;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.logging.Level;
import org.jboss.logging.Logger;
import org.jboss.logmanager.LogContext;
import org.jspecify.annotations.Nullable;

/** Logs as much as an admin wants, on every replica, as soon as that is changed. */
@ApplicationScoped
class LogLevel {

  private static final Logger LOG = Logger.getLogger(LogLevel.class);

  private final SettingsStore store;
  private final Listener listener;
  private final org.jboss.logmanager.Logger root = LogContext.getLogContext().getLogger("");
  private final Level configured = root.getLevel();

  LogLevel(SettingsStore store, Listener listener) {
    this.store = store;
    this.listener = listener;
  }

  void start(@Observes StartupEvent started) {
    listener.listen(SettingsStore.CHANNEL, changed -> look(), this::look);
  }

  private void look() {
    store
        .deployment()
        .subscribe()
        .with(
            deployment -> apply(deployment.logLevel()),
            failure -> LOG.debugf("The log level is looked up later: %s", failure));
  }

  private void apply(@Nullable String wanted) {
    var level = wanted == null ? configured : LogContext.getLogContext().getLevelForName(wanted);
    if (!level.equals(root.getLevel())) {
      root.setLevel(level);
      LOG.infof("The log level is %s now", level);
    }
  }
}
