package io.fengyu.agent.tool.excel;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Cells that look like one; rows and columns from 1. */
record Merge(int firstRow, int lastRow, int firstColumn, int lastColumn) {

  private static final Pattern REF =
      Pattern.compile("ref=\"([A-Z]{1,3})([0-9]{1,7}):([A-Z]{1,3})([0-9]{1,7})\"");

  /** Those in a {@code mergeCells} part. */
  static List<Merge> in(String xml) {
    var merges = new ArrayList<Merge>();
    var refs = REF.matcher(xml);
    while (refs.find()) {
      merges.add(
          new Merge(
              Integer.parseInt(refs.group(2)),
              Integer.parseInt(refs.group(4)),
              RowXml.column(refs.group(1)),
              RowXml.column(refs.group(3))));
    }
    return merges;
  }

  /** The part again; empty for none. */
  static String xml(List<Merge> merges) {
    if (merges.isEmpty()) {
      return "";
    }
    var out = new StringBuilder("<mergeCells count=\"").append(merges.size()).append("\">");
    for (var merge : merges) {
      out.append("<mergeCell ref=\"").append(RowXml.letters(merge.firstColumn));
      out.append(merge.firstRow).append(':').append(RowXml.letters(merge.lastColumn));
      out.append(merge.lastRow).append("\"/>");
    }
    return out.append("</mergeCells>").toString();
  }

  boolean wide() {
    return lastColumn > firstColumn;
  }

  boolean covers(int row) {
    return firstRow <= row && row <= lastRow;
  }

  Merge inRow(int row) {
    return new Merge(row, row, firstColumn, lastColumn);
  }
}
