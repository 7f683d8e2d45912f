package io.fengyu.agent.tool.excel;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import org.apache.poi.ss.usermodel.BorderStyle;
import org.apache.poi.ss.usermodel.CellStyle;
import org.apache.poi.ss.usermodel.FillPatternType;
import org.apache.poi.ss.usermodel.IndexedColors;
import org.apache.poi.ss.usermodel.Row;
import org.apache.poi.ss.usermodel.Sheet;
import org.apache.poi.ss.usermodel.Workbook;
import org.apache.poi.ss.util.CellRangeAddress;
import org.apache.poi.util.DefaultTempFileCreationStrategy;
import org.apache.poi.util.TempFile;
import org.apache.poi.xssf.streaming.SXSSFWorkbook;
import org.apache.poi.xssf.usermodel.XSSFWorkbook;

/** Real workbooks, made by another library than the one that takes them apart. */
final class Workbooks {

  static final String[] REGIONS = {"North", "South", "East", "West", "华东"};
  static final String CHINESE_SHEET = "销售数据";

  // A directory of this checkout: the usual one belongs to the user who came first.
  static {
    TempFile.setTempFileCreationStrategy(
        new DefaultTempFileCreationStrategy(Path.of("target", "poi").toFile()));
  }

  private Workbooks() {}

  interface Content {
    void fill(XSSFWorkbook book) throws IOException;
  }

  static Path write(Path file, Content content) {
    try (var book = new XSSFWorkbook();
        var out = Files.newOutputStream(file)) {
      content.fill(book);
      book.write(out);
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * A title over the table, a styled header in row 2, then rows with a region, a date, numbers, a
   * formula over its own row, a truth value and a text that begins with an equals sign; a second
   * sheet with notes.
   */
  static Path sales(Path file, int rows) {
    return write(file, book -> sales(book, rows));
  }

  private static void sales(XSSFWorkbook book, int rows) {
    var sheet = book.createSheet(CHINESE_SHEET);
    var header = header(book);
    var date = book.createCellStyle();
    date.setDataFormat(book.createDataFormat().getFormat("yyyy-mm-dd"));
    var money = book.createCellStyle();
    money.setDataFormat(book.createDataFormat().getFormat("#,##0.00"));
    text(sheet.createRow(0), 0, "Sales 2026", header);
    sheet.addMergedRegion(new CellRangeAddress(0, 0, 0, 6));
    var names = new String[] {"Id", "Region", "Date", "Price", "Count", "Total", "Note"};
    var top = sheet.createRow(1);
    for (int i = 0; i < names.length; i++) {
      text(top, i, names[i], header);
    }
    sheet.setColumnWidth(1, 24 * 256);
    sheet.createFreezePane(0, 2);
    for (int i = 0; i < rows; i++) {
      row(sheet, i, date, money);
    }
    book.getCreationHelper().createFormulaEvaluator().evaluateAll();
    var notes = book.createSheet("Notes");
    notes.createRow(0).createCell(0).setCellValue("Key");
    notes.createRow(1).createCell(0).setCellValue("made by a test");
  }

  private static void row(Sheet sheet, int i, CellStyle date, CellStyle money) {
    var row = sheet.createRow(i + 2);
    row.createCell(0).setCellValue(i + 1);
    row.createCell(1).setCellValue(REGIONS[i % REGIONS.length]);
    var day = row.createCell(2);
    day.setCellValue(LocalDate.of(2026, 1, 1).plusDays(i % 365));
    day.setCellStyle(date);
    var price = row.createCell(3);
    price.setCellValue(i * 0.25);
    price.setCellStyle(money);
    row.createCell(4).setCellValue(i % 7);
    row.createCell(5).setCellFormula("D" + (i + 3) + "*E" + (i + 3));
    row.createCell(6).setCellValue(i % 2 == 0 ? "=SUM(A1:A9)" : "plain " + i);
    row.createCell(7).setCellValue(i % 3 == 0);
  }

  static CellStyle header(XSSFWorkbook book) {
    var font = book.createFont();
    font.setBold(true);
    font.setFontName("Courier New");
    font.setColor(IndexedColors.DARK_RED.getIndex());
    var style = book.createCellStyle();
    style.setFont(font);
    style.setFillForegroundColor(IndexedColors.LIGHT_GREEN.getIndex());
    style.setFillPattern(FillPatternType.SOLID_FOREGROUND);
    style.setBorderBottom(BorderStyle.THICK);
    return style;
  }

  /** Many rows, written without holding them. */
  static Path wide(Path file, int rows, int columns, int values) {
    try (var book = new SXSSFWorkbook(200);
        var out = Files.newOutputStream(file)) {
      var sheet = book.createSheet("Data");
      var top = sheet.createRow(0);
      for (int c = 0; c < columns; c++) {
        top.createCell(c).setCellValue("Column " + c);
      }
      for (int r = 0; r < rows; r++) {
        var row = sheet.createRow(r + 1);
        row.createCell(0).setCellValue("Value " + r % values);
        for (int c = 1; c < columns; c++) {
          if (c % 2 == 0) {
            row.createCell(c).setCellValue((double) (r * 31L + c));
          } else {
            row.createCell(c).setCellValue("text " + r + " of column " + c);
          }
        }
      }
      book.write(out);
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Workbook open(Path file) {
    try (var in = Files.newInputStream(file)) {
      return new XSSFWorkbook(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void text(Row row, int column, String text, CellStyle style) {
    var cell = row.createCell(column);
    cell.setCellValue(text);
    cell.setCellStyle(style);
  }
}
