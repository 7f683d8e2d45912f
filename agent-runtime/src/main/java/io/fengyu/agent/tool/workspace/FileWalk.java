package io.fengyu.agent.tool.workspace;

import io.fengyu.agent.tool.ToolCall;
import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.EnumSet;
import org.jspecify.annotations.Nullable;

/** Looks at the files below a directory, within bounds of number, depth and time. */
final class FileWalk {

  private static final int MOST_FILES = 100_000;
  private static final int DEEPEST = 64;
  private static final Duration LONGEST = Duration.ofSeconds(30);

  private final ToolCall call;
  private final long deadline = System.nanoTime() + LONGEST.toNanos();
  private int seen;
  private boolean cut;

  FileWalk(ToolCall call) {
    this.call = call;
  }

  /** Takes a regular file; answers whether it wants more. */
  interface Visitor {
    boolean file(Path file) throws IOException;
  }

  /** Links are not followed. */
  void over(Path directory, Visitor visitor) throws IOException, InterruptedException {
    Files.walkFileTree(
        directory, EnumSet.noneOf(FileVisitOption.class), DEEPEST, new Walker(visitor));
    if (call.cancelled().getAsBoolean()) {
      throw new InterruptedException("cancelled while looking through files");
    }
  }

  /** True when there may be more than was looked at. */
  boolean cut() {
    return cut;
  }

  private boolean enough() {
    if (++seen > MOST_FILES || System.nanoTime() > deadline) {
      cut = true;
    }
    return cut || call.cancelled().getAsBoolean();
  }

  private final class Walker extends SimpleFileVisitor<Path> {

    private final Visitor visitor;

    Walker(Visitor visitor) {
      this.visitor = visitor;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
      return enough() ? FileVisitResult.TERMINATE : FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      if (enough()) {
        return FileVisitResult.TERMINATE;
      }
      if (attributes.isRegularFile() && !visitor.file(file)) {
        cut = true;
        return FileVisitResult.TERMINATE;
      }
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException failure) {
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure) {
      return FileVisitResult.CONTINUE;
    }
  }
}
