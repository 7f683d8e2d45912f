package io.fengyu.agent.file;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Where files are kept, and how much of them. */
@ConfigMapping(prefix = "fengyu.files")
interface FilesConfig {

  /** Shared by all replicas; everything below it is ours. */
  @WithDefault("${DATA_DIR:./data}")
  Path dataDir();

  /**
   * Directories, separated by commas or the system's path separator, below which a caller may name
   * a path of this machine. Empty refuses every such path.
   */
  @WithDefault("${FENGYU_NATIVE_FILE_ROOTS:${AGENT_NATIVE_ROOTS:}}")
  Optional<String> nativeRoots();

  /** In {@code workstation} the home directory is a native root when none is named. */
  @WithDefault("${PROFILE:server}")
  String profile();

  /** One uploaded file; a longer one is refused while it is read. */
  @WithDefault("104857600")
  long maxFileBytes();

  /** One upload request; a longer one is refused while it is read. */
  @WithDefault("524288000")
  long maxRequestBytes();

  /** Files and fields of one upload request. */
  @WithDefault("2100")
  int maxParts();

  /** Left free on the disk: an upload that would use it is refused. */
  @WithDefault("268435456")
  long keepFreeBytes();

  /** How long an uploaded file waits for a run that uses it. */
  @WithDefault("24h")
  Duration uploadLife();
}
