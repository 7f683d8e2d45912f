package io.fengyu.agent.tool.excel;

import static org.assertj.core.api.Assertions.assertThat;

import io.fengyu.agent.tool.Calls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LargeWorkbookTest {

  private static final int ROWS = Integer.getInteger("fengyu.test.rows", 30_000);
  private static final String HEAP = System.getProperty("fengyu.test.heap", "64m");

  @Test
  void memoryDoesNotGrowWithTheNumberOfRows(@TempDir Path root) throws Exception {
    var workspace = Files.createDirectories(new Calls(root).workspace());
    Workbooks.wide(workspace.resolve("big.xlsx"), ROWS, 12, 100);

    var said = inSmallHeap(root);

    assertThat(said).contains("Wrote 100 file(s) with " + ROWS + " row(s).");
  }

  private static String inSmallHeap(Path root) throws IOException, InterruptedException {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var output = root.resolve("said.txt");
    var process =
        new ProcessBuilder(
                java,
                "-Xmx" + HEAP,
                "-XX:+UseSerialGC",
                "-XX:+ExitOnOutOfMemoryError",
                "-cp",
                System.getProperty("java.class.path"),
                LargeWorkbookTest.class.getName(),
                root.toString())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      boolean ended = process.waitFor(10, TimeUnit.MINUTES);
      var said = Files.readString(output);
      assertThat(ended).as(said).isTrue();
      return said;
    } finally {
      process.destroyForcibly();
    }
  }

  /** The small program: splits the workbook of a directory. */
  public static void main(String[] args) throws Exception {
    var calls = new Calls(Path.of(args[0]));
    long begun = System.nanoTime();
    calls.text(new ExcelConfigure(), "{'mode':'BY_COLUMN','filePath':'big.xlsx','splitColumn':1}");
    System.out.println(calls.text(new ExcelExecute(), "{}"));
    System.out.println((System.nanoTime() - begun) / 1_000_000 + " ms");
    System.exit(0);
  }
}
