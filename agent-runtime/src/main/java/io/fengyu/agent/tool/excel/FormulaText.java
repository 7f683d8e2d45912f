package io.fengyu.agent.tool.excel;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.poi.ss.SpreadsheetVersion;
import org.jspecify.annotations.Nullable;

/**
 * Moves a formula to another row, if it means the same there. A formula stays a formula only while
 * everything it names comes along; of any other one the last value is kept.
 */
final class FormulaText {

  private static final Pattern CELL = Pattern.compile("(\\$?)([A-Za-z]{1,3})(\\$?)([0-9]{1,7})");
  private static final Pattern WORD = Pattern.compile("[\\p{L}_$\\\\][\\p{L}\\p{N}_.$?\\\\]*");
  private static final Pattern NUMBER =
      Pattern.compile("[0-9]*[.]?[0-9]+([eE][+-]?[0-9]+)?|[0-9]+[.]");
  // Their result depends on the place they stand at, or on places only known when they run.
  private static final Set<String> PLACE_BOUND =
      Set.of(
          "INDIRECT", "OFFSET", "ROW", "ROWS", "COLUMN", "CELL", "SHEET", "SHEETS", "GETPIVOTDATA");

  private final String formula;
  private final int downBy;
  private final int rightBy;
  private final int onlyRow;
  private final int newRow;
  private final StringBuilder out = new StringBuilder();

  private FormulaText(String formula, int downBy, int rightBy, int onlyRow, int newRow) {
    this.formula = formula;
    this.downBy = downBy;
    this.rightBy = rightBy;
    this.onlyRow = onlyRow;
    this.newRow = newRow;
  }

  /** As it reads in a row of another number; null when it looks beyond its own row. */
  static @Nullable String moved(String formula, int fromRow, int toRow) {
    return new FormulaText(formula, 0, 0, fromRow, toRow).rewrite();
  }

  /** As it reads in a cell that shares it; null when that can't be told from the text. */
  static @Nullable String shared(String formula, int downBy, int rightBy) {
    return new FormulaText(formula, downBy, rightBy, 0, 0).rewrite();
  }

  /** True when it names nothing outside of its own sheet. */
  static boolean ofOneSheet(String formula) {
    return new FormulaText(formula, 0, 0, 0, 0).rewrite() != null;
  }

  private @Nullable String rewrite() {
    int at = 0;
    while (at < formula.length()) {
      char c = formula.charAt(at);
      int next;
      if (c == '"') {
        next = string(at);
      } else if (Character.isLetter(c) || c == '_' || c == '$' || c == '\\') {
        next = word(at);
      } else if (Character.isDigit(c) || c == '.') {
        next = number(at);
      } else if ("'![]#@".indexOf(c) >= 0) {
        return null;
      } else {
        out.append(c);
        next = at + 1;
      }
      if (next < 0) {
        return null;
      }
      at = next;
    }
    return out.toString();
  }

  private int string(int at) {
    int end = formula.indexOf('"', at + 1);
    if (end >= 0) {
      out.append(formula, at, end + 1);
    }
    return end < 0 ? -1 : end + 1;
  }

  private int number(int at) {
    var number = matcher(NUMBER, at);
    if (!number.lookingAt() || follows(number.end(), ':')) {
      return -1;
    }
    out.append(number.group());
    return number.end();
  }

  private int word(int at) {
    var word = matcher(WORD, at);
    if (!word.lookingAt()) {
      return -1;
    }
    var text = word.group();
    if (follows(word.end(), '(')) {
      var function = text.toUpperCase(Locale.ROOT);
      out.append(text);
      return PLACE_BOUND.contains(function.replace("_XLFN.", "")) ? -1 : word.end();
    }
    var cell = CELL.matcher(text);
    if (cell.matches() && !follows(word.end(), '!')) {
      return cell(cell) ? word.end() : -1;
    }
    if (text.equalsIgnoreCase("TRUE") || text.equalsIgnoreCase("FALSE")) {
      out.append(text);
      return word.end();
    }
    return -1;
  }

  private boolean cell(Matcher cell) {
    boolean fixedColumn = !cell.group(1).isEmpty();
    boolean fixedRow = !cell.group(3).isEmpty();
    int row = Integer.parseInt(cell.group(4));
    if (onlyRow > 0) {
      if (fixedRow || row != onlyRow) {
        return false;
      }
      row = newRow;
    } else if (!fixedRow) {
      row += downBy;
    }
    int column =
        RowXml.column(cell.group(2).toUpperCase(Locale.ROOT)) + (fixedColumn ? 0 : rightBy);
    if (row < 1 || row > SpreadsheetVersion.EXCEL2007.getMaxRows() || column < 1) {
      return false;
    }
    out.append(cell.group(1)).append(RowXml.letters(column)).append(cell.group(3)).append(row);
    return true;
  }

  private boolean follows(int at, char c) {
    return at < formula.length() && formula.charAt(at) == c;
  }

  private Matcher matcher(Pattern pattern, int at) {
    return pattern.matcher(formula).region(at, formula.length());
  }
}
