package io.fengyu.contract.log;

import io.fengyu.contract.instance.Instances;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.interceptor.Interceptor;
import java.util.logging.Handler;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logmanager.ExtHandler;
import org.jboss.logmanager.LogContext;
import org.jboss.logmanager.handlers.ConsoleHandler;

/** Gives the console our own form of JSON lines, where JSON is asked for. */
@ApplicationScoped
class JsonLines {

  private final boolean json;
  private final String service;
  private final Instances instances;

  JsonLines(
      @ConfigProperty(name = "quarkus.log.console.json.enabled") boolean json,
      @ConfigProperty(name = "quarkus.application.name") String service,
      Instances instances) {
    this.json = json;
    this.service = service;
    this.instances = instances;
  }

  void start(@Observes @Priority(Interceptor.Priority.PLATFORM_BEFORE - 1) StartupEvent started) {
    if (json) {
      var root = LogContext.getLogContext().getLogger("");
      var format = new JsonLine(service, instances.id().toString());
      for (var handler : root.getHandlers()) {
        apply(handler, format);
      }
    }
  }

  private static void apply(Handler handler, JsonLine format) {
    if (handler instanceof ConsoleHandler console) {
      console.setFormatter(format);
    } else if (handler instanceof ExtHandler group) {
      for (var child : group.getHandlers()) {
        apply(child, format);
      }
    }
  }
}
