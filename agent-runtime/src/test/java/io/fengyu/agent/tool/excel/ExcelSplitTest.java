package io.fengyu.agent.tool.excel;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fengyu.agent.tool.Calls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.List;
import java.util.stream.StreamSupport;
import org.apache.poi.ss.usermodel.BorderStyle;
import org.apache.poi.ss.usermodel.CellType;
import org.apache.poi.ss.usermodel.DateUtil;
import org.apache.poi.ss.usermodel.IndexedColors;
import org.apache.poi.ss.usermodel.Sheet;
import org.apache.poi.ss.util.CellRangeAddress;
import org.apache.poi.xssf.usermodel.XSSFCellStyle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExcelSplitTest {

  private final Calls calls;
  private final Path workspace;

  ExcelSplitTest(@TempDir Path root) throws IOException {
    calls = new Calls(root);
    workspace = Files.createDirectories(calls.workspace());
  }

  @Test
  void analyzeFindsTheHeaderBelowATitleAndCountsRows() throws Exception {
    Workbooks.sales(workspace.resolve("sales.xlsx"), 30);

    var sheets = calls.result(new ExcelAnalyze(), "{'filePath':'sales.xlsx'}").path("sheets");

    assertThat(sheets.path(0).path("name").asText()).isEqualTo(Workbooks.CHINESE_SHEET);
    assertThat(sheets.path(0).path("headerRow").asInt()).isEqualTo(2);
    assertThat(sheets.path(0).path("rowCount").asInt()).isEqualTo(30);
    assertThat(sheets.at("/0/columns/1")).isEqualTo(Calls.json("{'index':2,'header':'Region'}"));
    assertThat(sheets.path(1).path("name").asText()).isEqualTo("Notes");
  }

  @Test
  void splittingByAColumnKeepsEveryRowOnceWithItsTypes() throws Exception {
    Workbooks.sales(workspace.resolve("sales.xlsx"), 12_000);
    configure("{'mode':'BY_COLUMN','filePath':'sales.xlsx','splitColumn':2}");

    var result = execute("{}");

    assertThat(result.at("/files/fileCount").asInt()).isEqualTo(5);
    assertThat(names(result))
        .containsExactly("North.xlsx", "South.xlsx", "East.xlsx", "West.xlsx", "华东.xlsx");
    int rows = 0;
    for (var file : files(result)) {
      rows += checkSales(file);
    }
    assertThat(rows).isEqualTo(12_000);
    assertThat(calls.written).containsExactlyElementsOf(files(result));
    assertThat(leftovers()).isEmpty();
  }

  private static int checkSales(Path file) throws IOException {
    try (var book = Workbooks.open(file)) {
      var sheet = book.getSheetAt(0);
      assertThat(sheet.getSheetName()).isEqualTo(Workbooks.CHINESE_SHEET);
      assertThat(sheet.getMergedRegions()).containsExactly(new CellRangeAddress(0, 0, 0, 6));
      assertThat(sheet.getColumnWidth(1)).isEqualTo(24 * 256);
      assertThat(sheet.getPaneInformation().getHorizontalSplitPosition()).isEqualTo((short) 2);
      checkHeader(sheet);
      var region = file.getFileName().toString().replace(".xlsx", "");
      for (int i = 2; i <= sheet.getLastRowNum(); i++) {
        checkRow(sheet, i, region);
      }
      return sheet.getLastRowNum() - 1;
    }
  }

  private static void checkHeader(Sheet sheet) {
    var cell = sheet.getRow(1).getCell(1);
    assertThat(cell.getStringCellValue()).isEqualTo("Region");
    var style = (XSSFCellStyle) cell.getCellStyle();
    assertThat(style.getFont().getBold()).isTrue();
    assertThat(style.getFont().getFontName()).isEqualTo("Courier New");
    assertThat(style.getFont().getColor()).isEqualTo(IndexedColors.DARK_RED.getIndex());
    assertThat(style.getFillForegroundColor()).isEqualTo(IndexedColors.LIGHT_GREEN.getIndex());
    assertThat(style.getBorderBottom()).isEqualTo(BorderStyle.THICK);
  }

  private static void checkRow(Sheet sheet, int index, String region) {
    var row = sheet.getRow(index);
    int i = (int) row.getCell(0).getNumericCellValue() - 1;
    assertThat(row.getCell(1).getStringCellValue()).isEqualTo(region);
    assertThat(Workbooks.REGIONS[i % Workbooks.REGIONS.length]).isEqualTo(region);
    assertThat(DateUtil.isCellDateFormatted(row.getCell(2))).isTrue();
    assertThat(row.getCell(2).getLocalDateTimeCellValue())
        .isEqualTo(LocalDateTime.of(2026, 1, 1, 0, 0).plusDays(i % 365));
    assertThat(row.getCell(3).getNumericCellValue()).isEqualTo(i * 0.25);
    assertThat(row.getCell(3).getCellStyle().getDataFormatString()).isEqualTo("#,##0.00");
    assertThat(row.getCell(5).getCellType()).isEqualTo(CellType.FORMULA);
    assertThat(row.getCell(5).getCellFormula()).isEqualTo("D" + (index + 1) + "*E" + (index + 1));
    assertThat(row.getCell(5).getNumericCellValue()).isEqualTo(i * 0.25 * (i % 7));
    assertThat(row.getCell(6).getCellType()).isEqualTo(CellType.STRING);
    assertThat(row.getCell(6).getStringCellValue())
        .isEqualTo(i % 2 == 0 ? "=SUM(A1:A9)" : "plain " + i);
    assertThat(row.getCell(7).getBooleanCellValue()).isEqualTo(i % 3 == 0);
  }

  @Test
  void aColumnCanBeNamedByItsHeader() throws Exception {
    Workbooks.sales(workspace.resolve("sales.xlsx"), 10);
    configure("{'mode':'BY_COLUMN','filePath':'sales.xlsx','splitColumn':'Region'}");

    assertThat(execute("{'filePrefix':'Sales '}").at("/files/fileCount").asInt()).isEqualTo(5);
    assertThat(calls.outputDir().resolve("Sales North.xlsx")).exists();
  }

  @Test
  void splittingBySheetMakesOneFileEach() throws Exception {
    Workbooks.sales(workspace.resolve("sales.xlsx"), 20);
    configure("{'mode':'BY_SHEET','filePath':'sales.xlsx'}");

    var result = execute("{}");

    assertThat(names(result)).containsExactly(Workbooks.CHINESE_SHEET + ".xlsx", "Notes.xlsx");
    try (var book = Workbooks.open(files(result).getFirst())) {
      assertThat(book.getNumberOfSheets()).isEqualTo(1);
      assertThat(book.getSheetAt(0).getLastRowNum()).isEqualTo(21);
      assertThat(book.getSheetAt(0).getRow(4).getCell(5).getCellFormula()).isEqualTo("D5*E5");
    }
  }

  @Test
  void aComplexSplitPutsWholeSheetsIntoEveryFile() throws Exception {
    Workbooks.sales(workspace.resolve("sales.xlsx"), 20);
    calls.result(
        new ExcelComplexConfig(),
        "{'action':'add','filePath':'sales.xlsx','entries':["
            + "{'sheetName':'销售数据','headerIndex':2,'columnIndex':2},"
            + "{'sheetName':'Notes','headerIndex':-1,'columnIndex':-1}]}");

    var result = execute("{}");

    assertThat(result.at("/files/fileCount").asInt()).isEqualTo(5);
    for (var file : files(result)) {
      try (var book = Workbooks.open(file)) {
        assertThat(book.getSheetAt(0).getLastRowNum()).isEqualTo(5);
        assertThat(book.getSheet("Notes").getRow(1).getCell(0).getStringCellValue())
            .isEqualTo("made by a test");
      }
    }
  }

  @Test
  void aFormulaThatLooksElsewhereBecomesItsLastValue() throws Exception {
    Workbooks.write(
        workspace.resolve("sums.xlsx"),
        book -> {
          var sheet = book.createSheet("S");
          sheet.createRow(0).createCell(0).setCellValue("Key");
          for (int i = 1; i <= 4; i++) {
            var row = sheet.createRow(i);
            row.createCell(0).setCellValue(i % 2 == 0 ? "even" : "odd");
            row.createCell(1).setCellValue(i);
            row.createCell(2).setCellFormula("SUM(B2:B5)");
          }
          book.getCreationHelper().createFormulaEvaluator().evaluateAll();
        });
    configure("{'mode':'BY_COLUMN','filePath':'sums.xlsx','splitColumn':1}");

    for (var file : files(execute("{}"))) {
      try (var book = Workbooks.open(file)) {
        var cell = book.getSheetAt(0).getRow(1).getCell(2);
        assertThat(cell.getCellType()).isEqualTo(CellType.NUMERIC);
        assertThat(cell.getNumericCellValue()).isEqualTo(10);
      }
    }
  }

  @Test
  void hostileValuesBecomeSafeNamesAndBlankOnesHaveTheirOwnFile() throws Exception {
    var values =
        List.of("../../etc/passwd", "CON", "a/b", "a\\b", "", "x".repeat(400), "Ärger", ".hidden");
    table("names.xlsx", values);
    configure("{'mode':'BY_COLUMN','filePath':'names.xlsx','splitColumn':1}");

    var result = execute("{}");

    assertThat(names(result))
        .contains(
            "_._.._etc_passwd.xlsx",
            "_CON.xlsx",
            "a_b.xlsx",
            "a_b (2).xlsx",
            "_blank.xlsx",
            "Ärger.xlsx",
            "_hidden.xlsx")
        .allSatisfy(name -> assertThat(name.length()).isLessThan(200));
    assertThat(files(result))
        .allSatisfy(file -> assertThat(file.getParent()).isEqualTo(calls.outputDir().toRealPath()));
  }

  @Test
  void datesAndNumbersNameTheirFileAsPeopleReadThem() throws Exception {
    Workbooks.write(
        workspace.resolve("days.xlsx"),
        book -> {
          var date = book.createCellStyle();
          date.setDataFormat((short) 14);
          var sheet = book.createSheet("S");
          sheet.createRow(0).createCell(0).setCellValue("Key");
          var day = sheet.createRow(1).createCell(0);
          day.setCellValue(java.time.LocalDate.of(2026, 2, 3));
          day.setCellStyle(date);
          sheet.createRow(2).createCell(0).setCellValue(7);
          sheet.createRow(3).createCell(0).setCellValue(7.5);
        });
    configure("{'mode':'BY_COLUMN','filePath':'days.xlsx','splitColumn':1}");

    assertThat(names(execute("{}"))).containsExactly("2026-02-03.xlsx", "7.xlsx", "7.5.xlsx");
  }

  @Test
  void aFileThatIsThereIsNeverReplaced() throws Exception {
    table("one.xlsx", List.of("A"));
    configure("{'mode':'BY_COLUMN','filePath':'one.xlsx','splitColumn':1}");

    execute("{'outputDir':'out'}");
    var second = execute("{'outputDir':'out'}");

    assertThat(names(second)).containsExactly("A (2).xlsx");
    assertThat(workspace.resolve("out/A.xlsx")).exists();
  }

  @Test
  void theOutputMustBeWhereTheRunMayWrite() throws Exception {
    table("one.xlsx", List.of("A"));
    configure("{'mode':'BY_COLUMN','filePath':'one.xlsx','splitColumn':1}");

    for (var outside : List.of("/tmp", "../elsewhere", "/etc/cron.d")) {
      var result = execute("{\"outputDir\":\"" + outside + "\"}");
      assertThat(result.path("success").asBoolean(true)).isFalse();
      assertThat(result.path("error").asText()).contains("outside");
    }
  }

  @Test
  void aGrantedDirectoryTakesTheOutput(@TempDir Path granted) throws Exception {
    table("one.xlsx", List.of("A"));
    calls.granting(List.of(), List.of(granted));
    configure("{'mode':'BY_COLUMN','filePath':'one.xlsx','splitColumn':1}");

    assertThat(names(execute("{\"outputDir\":\"" + granted + "\"}"))).containsExactly("A.xlsx");
    assertThat(granted.resolve("A.xlsx")).exists();
  }

  @Test
  void aCancelledSplitLeavesNothingBehind() throws Exception {
    Workbooks.sales(workspace.resolve("sales.xlsx"), 500);
    configure("{'mode':'BY_COLUMN','filePath':'sales.xlsx','splitColumn':2}");
    calls.cancelled.set(true);

    org.assertj.core.api.Assertions.assertThatThrownBy(() -> execute("{}"))
        .isInstanceOf(InterruptedException.class);

    assertThat(calls.outputDir()).isEmptyDirectory();
    assertThat(leftovers()).isEmpty();
    calls.cancelled.set(false);
    assertThat(calls.result(new ExcelQuery(), "{}").path("state").asText()).isEqualTo("CANCELLED");
  }

  @Test
  void theStateOfASplitCanBeAskedFor() throws Exception {
    assertThat(calls.result(new ExcelQuery(), "{}").path("state").asText()).isEqualTo("IDLE");
    table("one.xlsx", List.of("A"));
    configure("{'mode':'BY_COLUMN','filePath':'one.xlsx','splitColumn':1}");
    assertThat(calls.result(new ExcelQuery(), "{}").path("state").asText()).isEqualTo("CONFIGURED");
    execute("{}");
    assertThat(calls.result(new ExcelQuery(), "{}").path("state").asText()).isEqualTo("DONE");
    assertThat(calls.result(new ExcelCancel(), "{}").path("state").asText()).isEqualTo("DONE");
  }

  @Test
  void executingWithoutConfigurationSaysSo() throws Exception {
    assertThat(execute("{}").path("error").asText()).contains("excel_configure");
  }

  private void table(String name, List<String> values) {
    Workbooks.write(
        workspace.resolve(name),
        book -> {
          var sheet = book.createSheet("S");
          sheet.createRow(0).createCell(0).setCellValue("Key");
          for (int i = 0; i < values.size(); i++) {
            var row = sheet.createRow(i + 1);
            row.createCell(0).setCellValue(values.get(i));
            row.createCell(1).setCellValue(i);
          }
        });
  }

  private void configure(String args) throws Exception {
    var result = calls.result(new ExcelConfigure(), args);
    assertThat(result.path("success").asBoolean()).as(result.toString()).isTrue();
  }

  private JsonNode execute(String args) throws Exception {
    return calls.result(new ExcelExecute(), args);
  }

  private List<String> leftovers() throws IOException {
    try (var left = Files.walk(calls.workspace().resolveSibling("state"))) {
      return left.map(Path::getFileName)
          .map(Path::toString)
          .filter(name -> name.startsWith("split-") || name.endsWith(".tmp"))
          .toList();
    }
  }

  private static List<String> names(JsonNode result) {
    return files(result).stream().map(file -> file.getFileName().toString()).toList();
  }

  private static List<Path> files(JsonNode result) {
    assertThat(result.path("success").asBoolean()).as(result.toString()).isTrue();
    return StreamSupport.stream(result.at("/files/files").spliterator(), false)
        .map(JsonNode::asText)
        .map(Path::of)
        .toList();
  }
}
