package io.fengyu.agent.tool.command;

import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.EnumSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Finds the files that changed below a directory since a moment, within bounds. */
public final class NewFiles extends SimpleFileVisitor<Path> {

  private static final int MOST_SEEN = 50_000;
  private static final int MOST_TOLD = 1_000;
  private static final int DEEPEST = 32;

  private final FileTime since;
  private final Consumer<Path> told;
  private int seen;
  private int found;

  private NewFiles(FileTime since, Consumer<Path> told) {
    this.since = since;
    this.told = told;
  }

  /** Tells every regular file that was written since; links are not followed. */
  public static void tell(Path directory, Instant since, Consumer<Path> told) throws IOException {
    // File systems keep coarser times than clocks do.
    var from = FileTime.from(since.minusMillis(20));
    Files.walkFileTree(
        directory, EnumSet.noneOf(FileVisitOption.class), DEEPEST, new NewFiles(from, told));
  }

  @Override
  public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
    if (attributes.isRegularFile() && attributes.lastModifiedTime().compareTo(since) >= 0) {
      told.accept(file);
      found++;
    }
    return ++seen >= MOST_SEEN || found >= MOST_TOLD
        ? FileVisitResult.TERMINATE
        : FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult visitFileFailed(Path file, IOException unreadable) {
    return FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException unreadable) {
    return FileVisitResult.CONTINUE;
  }
}
