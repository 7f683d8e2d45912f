package io.fengyu.agent.tool.mail;

import io.fengyu.agent.tool.Plugin;
import jakarta.annotation.Priority;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.Set;

/** Declares the plugin, which runs inside of this process. */
final class MailPlugin {

  static final String ID = "fan.summer.email";

  MailPlugin() {}

  // Uploads answer with one reference a plugin, and callers who know of one only take the first.
  @Produces
  @Singleton
  @Priority(-1)
  static Plugin plugin() {
    // It writes nothing; but only who may write is handed the directory that others write into.
    return new Plugin(ID, Set.of("files.read", "files.write"));
  }
}
