package io.fengyu.agent.tool.excel;

import org.jspecify.annotations.Nullable;

/**
 * One cell of a row that is being read.
 *
 * @param column from 1
 * @param style index into the styles of the workbook; -1 for none
 * @param type {@code n} number, {@code s} text, {@code b} truth value, {@code e} error, {@code d}
 *     date in words, {@code str} text that a formula made
 * @param value for {@code s} the text as XML, else as it stands in the file; null when empty
 * @param formula that made the value; null when none did
 */
record Cell(int column, int style, String type, @Nullable String value, @Nullable Formula formula) {

  /**
   * A formula as the file has it.
   *
   * @param text empty when the cell shares the text of an earlier one
   * @param kind {@code normal}, {@code shared}, {@code array} or another one
   * @param group number of the shared formula; -1 when not shared
   */
  record Formula(String text, String kind, int group) {}

  boolean blank() {
    return value == null || (type.equals("s") && RichText.plain(value).isBlank());
  }
}
