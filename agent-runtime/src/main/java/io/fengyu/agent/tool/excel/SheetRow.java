package io.fengyu.agent.tool.excel;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One row that is being read; reused for the next one. */
final class SheetRow {

  /** From 1. */
  int number;

  /** Height and format of the row, as XML attributes. */
  String look = "";

  /** Hidden, grouped: what only makes sense where the row stands now. */
  String state = "";

  final List<Cell> cells = new ArrayList<>();

  /** The cell of a column; null when it is not in the file. */
  @Nullable Cell at(int column) {
    for (var cell : cells) {
      if (cell.column() == column) {
        return cell;
      }
    }
    return null;
  }

  boolean blank() {
    for (var cell : cells) {
      if (!cell.blank()) {
        return false;
      }
    }
    return true;
  }
}
