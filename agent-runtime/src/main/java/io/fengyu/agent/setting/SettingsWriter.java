package io.fengyu.agent.setting;

import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import org.jspecify.annotations.Nullable;

/** Changes settings; the next read on this replica sees it, on others within a moment. */
@ApplicationScoped
public class SettingsWriter {

  private final SettingsStore store;
  private final SettingsReader reader;

  SettingsWriter(SettingsStore store, SettingsReader reader) {
    this.store = store;
    this.reader = reader;
  }

  /**
   * Saves an owner's permission rules in the place of all before.
   *
   * @param rules JSON, checked
   * @param byAdmin true when deny and ask rules are to hold for everybody
   */
  public Uni<Void> saveRules(String owner, String rules, boolean byAdmin) {
    return store.saveRules(owner, rules, byAdmin).invoke(() -> reader.changed(""));
  }

  /**
   * Saves an owner's hooks in the place of all before.
   *
   * @param hooks JSON, checked
   * @param byAdmin true when command hooks are to run for everybody
   */
  public Uni<Void> saveHooks(String owner, String hooks, boolean byAdmin) {
    return store.saveHooks(owner, hooks, byAdmin).invoke(() -> reader.changed(""));
  }

  /** Applies a change. */
  Uni<Void> change(String owner, SettingsChange change) {
    return deployment(change).chain(() -> own(owner, change)).invoke(() -> reader.changed(""));
  }

  private Uni<Void> deployment(SettingsChange change) {
    return change.ofDeployment()
        ? store.changeDeployment(
            change.computerUseEnabled(), change.unsandboxedPlugins(), change.logLevel())
        : Uni.createFrom().voidItem();
  }

  private Uni<Void> own(String owner, SettingsChange change) {
    return change.ofOwner()
        ? store.change(
            owner, change.memoryEnabled(), change.theme(), change.language(), budget(change))
        : Uni.createFrom().voidItem();
  }

  private static @Nullable String budget(SettingsChange change) {
    var budget = change.budget();
    return budget == null ? null : budget.toString();
  }
}
