package io.fengyu.agent.tool.excel;

import static org.assertj.core.api.Assertions.assertThat;

import io.fengyu.agent.tool.Calls;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.poi.hssf.usermodel.HSSFWorkbook;
import org.apache.poi.poifs.crypt.EncryptionInfo;
import org.apache.poi.poifs.crypt.EncryptionMode;
import org.apache.poi.poifs.filesystem.POIFSFileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostileWorkbookTest {

  private final Calls calls;
  private final Path file;

  HostileWorkbookTest(@TempDir Path root) throws IOException {
    calls = new Calls(root);
    file = Files.createDirectories(calls.workspace()).resolve("book.xlsx");
  }

  @Test
  void aTextFileIsNoWorkbook() throws Exception {
    Files.writeString(file, "Region,Amount\nNorth,1\n".repeat(10));

    assertThat(error()).contains("no Excel workbook");
  }

  @Test
  void anEmptyFileIsNoWorkbook() throws Exception {
    Files.createFile(file);

    assertThat(error()).contains("no Excel workbook");
  }

  @Test
  void aCutOffFileIsDamaged() throws Exception {
    Workbooks.sales(file, 200);
    var bytes = Files.readAllBytes(file);
    Files.write(file, java.util.Arrays.copyOf(bytes, bytes.length / 2));

    assertThat(error()).contains("damaged");
  }

  @Test
  void aZipOfSomethingElseIsNoWorkbook() throws Exception {
    try (var zip = new ZipOutputStream(Files.newOutputStream(file))) {
      zip.putNextEntry(new ZipEntry("readme.txt"));
      zip.write("hello".getBytes(StandardCharsets.UTF_8));
    }

    assertThat(error()).contains("workbook");
  }

  @Test
  void aZipBombIsGivenUpBeforeItFillsAnything() throws Exception {
    Workbooks.sales(file, 5);
    replace("/xl/worksheets/sheet1.xml", HostileWorkbookTest::bomb);

    assertThat(error()).contains("unpacks to far more");
  }

  @Test
  void aBombInAPartHeldInMemoryIsGivenUpToo() throws Exception {
    Workbooks.sales(file, 5);
    replace("/xl/styles.xml", HostileWorkbookTest::bomb);

    assertThat(error()).contains("unpacks to far more");
  }

  @Test
  void documentTypesAreRefused() throws Exception {
    Workbooks.sales(file, 5);
    replace(
        "/xl/worksheets/sheet1.xml",
        out ->
            out.write(
                "<!DOCTYPE w [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><worksheet>&x;</worksheet>"
                    .getBytes(StandardCharsets.UTF_8)));

    assertThat(error()).contains("damaged").doesNotContain("root:");
  }

  @Test
  void brokenXmlIsDamage() throws Exception {
    Workbooks.sales(file, 5);
    replace(
        "/xl/worksheets/sheet1.xml",
        out -> out.write("<worksheet><sheetData><row r=\"x\">".getBytes(StandardCharsets.UTF_8)));

    assertThat(error()).contains("damaged");
  }

  @Test
  void aProtectedWorkbookIsRefused() throws Exception {
    try (var ole = new POIFSFileSystem();
        var out = Files.newOutputStream(file)) {
      var encryptor = new EncryptionInfo(EncryptionMode.agile).getEncryptor();
      encryptor.confirmPassword("secret");
      try (var inside = encryptor.getDataStream(ole)) {
        inside.write(new byte[4096]);
      }
      ole.writeFilesystem(out);
    }

    assertThat(error()).contains("password");
  }

  @Test
  void anOldWorkbookCanBeAnalyzedButNotSplit() throws Exception {
    try (var book = new HSSFWorkbook();
        var out = Files.newOutputStream(file)) {
      var row = book.createSheet("旧").createRow(0);
      row.createCell(0).setCellValue("Id");
      row.createCell(1).setCellValue("Region");
      book.write(out);
    }

    var analyzed = calls.result(new ExcelAnalyze(), "{'filePath':'book.xlsx'}");
    var configured =
        calls.result(new ExcelConfigure(), "{'mode':'BY_SHEET','filePath':'book.xlsx'}");

    assertThat(analyzed.at("/sheets/0/columns/1/header").asText()).isEqualTo("Region");
    assertThat(configured.path("error").asText()).contains(".xls");
  }

  @Test
  void aLinkOutOfTheWorkspaceIsRefused(@TempDir Path elsewhere) throws Exception {
    Files.createSymbolicLink(file, Workbooks.sales(elsewhere.resolve("b.xlsx"), 5));

    assertThat(error()).contains("outside");
  }

  @Test
  void aMissingFileIsNamed() throws Exception {
    assertThat(error()).contains("book.xlsx");
  }

  private String error() throws Exception {
    var result = calls.result(new ExcelAnalyze(), "{'filePath':'book.xlsx'}");
    assertThat(result.path("success").asBoolean(true)).as(result.toString()).isFalse();
    return result.path("error").asText();
  }

  private interface Part {
    void write(OutputStream out) throws IOException;
  }

  private static void bomb(OutputStream out) throws IOException {
    out.write("<worksheet><sheetData>".getBytes(StandardCharsets.UTF_8));
    var spaces = " ".repeat(1 << 20).getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < 100; i++) {
      out.write(spaces);
    }
  }

  private void replace(String part, Part content) throws IOException {
    try (var zip = FileSystems.newFileSystem(file, Map.of());
        var out = Files.newOutputStream(zip.getPath(part))) {
      content.write(out);
    }
  }
}
