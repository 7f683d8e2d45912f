package io.fengyu.agent.setting;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything that is set for one owner, at one moment. The same object is handed out until
 * something changes, so what was read from it may be kept beside it.
 *
 * @param own the owner's
 * @param byAdmins what admins, the owner among them or not, set for everybody
 */
public record Settings(Own own, List<Own> byAdmins, Deployment deployment) {

  /**
   * The settings of one owner; documents as they were saved.
   *
   * @param permissionRules JSON object of the lists {@code allow}, {@code ask}, {@code deny}
   * @param rulesByAdmin true when its deny and ask rules hold for everybody
   * @param hooks JSON array
   * @param hooksByAdmin true when its command hooks run for everybody
   * @param theme null for the console's own
   * @param language null for the browser's
   * @param budget JSON object, limits of work that names none
   */
  public record Own(
      String owner,
      @Nullable String permissionRules,
      boolean rulesByAdmin,
      @Nullable String hooks,
      boolean hooksByAdmin,
      boolean memoryEnabled,
      @Nullable String theme,
      @Nullable String language,
      @Nullable String budget) {

    /** Of somebody who has set nothing. */
    public static Own none(String owner) {
      return new Own(owner, null, false, null, false, false, null, null, null);
    }
  }

  /**
   * The same for everybody.
   *
   * @param unsandboxedPlugins true when plugins run without a sandbox
   * @param logLevel null for the configured one
   */
  public record Deployment(
      boolean computerUseEnabled, boolean unsandboxedPlugins, @Nullable String logLevel) {

    /** Of an installation where nothing was changed. */
    public static final Deployment STANDARD = new Deployment(true, false, null);
  }
}
