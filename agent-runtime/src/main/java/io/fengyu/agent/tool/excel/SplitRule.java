package io.fengyu.agent.tool.excel;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * How one sheet is taken apart.
 *
 * @param headerIndex last row of the header, from 1; 0 to find it; -1 with the whole sheet
 * @param column a number from 1, a name in the header, or letters; null with the whole sheet
 * @param copyEntireSheet every file gets all of the sheet
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record SplitRule(
    String sheetName, int headerIndex, @Nullable String column, boolean copyEntireSheet) {

  static SplitRule whole(String sheetName) {
    return new SplitRule(sheetName, -1, null, true);
  }
}
