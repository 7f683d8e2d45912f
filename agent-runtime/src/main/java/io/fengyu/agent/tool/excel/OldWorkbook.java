package io.fengyu.agent.tool.excel;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.fengyu.agent.tool.ToolException;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import org.apache.poi.hssf.usermodel.HSSFWorkbook;
import org.apache.poi.ss.usermodel.DataFormatter;
import org.apache.poi.ss.usermodel.Row;
import org.apache.poi.ss.usermodel.Sheet;
import org.apache.poi.ss.util.CellRangeAddress;

/** Looks into workbooks of the format before 2007, which can only be read as a whole. */
final class OldWorkbook {

  private static final long LARGEST = 16L << 20;
  private static final int HEADER_WITHIN = 24;

  private OldWorkbook() {}

  static void describe(SeekableByteChannel channel, ArrayNode sheets)
      throws IOException, ToolException {
    try (channel) {
      if (channel.size() > LARGEST) {
        throw new ToolException("old workbooks (.xls) can be read up to 16 MiB; save it as .xlsx");
      }
      channel.position(0);
      try (var book = new HSSFWorkbook(Channels.newInputStream(channel))) {
        for (var sheet : book) {
          describe(sheet, sheets);
        }
      }
    }
  }

  private static void describe(Sheet sheet, ArrayNode sheets) {
    int header = headerRow(sheet);
    var about = sheets.addObject().put("name", sheet.getSheetName()).put("headerRow", header);
    about.put("rowCount", Math.max(0, sheet.getPhysicalNumberOfRows() - rowsUpTo(sheet, header)));
    var columns = about.putArray("columns");
    var row = sheet.getRow(header - 1);
    if (row == null) {
      return;
    }
    var format = new DataFormatter();
    for (var cell : row) {
      var text = format.formatCellValue(cell).strip();
      if (!text.isEmpty()) {
        columns.addObject().put("index", cell.getColumnIndex() + 1).put("header", text);
      }
    }
  }

  private static int headerRow(Sheet sheet) {
    if (sheet.getPhysicalNumberOfRows() == 0) {
      return 0;
    }
    int first = sheet.getFirstRowNum();
    for (int row = first; row < first + HEADER_WITHIN; row++) {
      int at = row;
      if (sheet.getMergedRegions().stream().noneMatch(merge -> wideAt(merge, at))) {
        return row + 1;
      }
    }
    return first + 1;
  }

  private static boolean wideAt(CellRangeAddress merge, int row) {
    return merge.containsRow(row) && merge.getLastColumn() > merge.getFirstColumn();
  }

  private static int rowsUpTo(Sheet sheet, int number) {
    int rows = 0;
    for (Row row : sheet) {
      rows += row.getRowNum() < number ? 1 : 0;
    }
    return rows;
  }
}
