package io.fengyu.agent.tool.excel;

import io.fengyu.agent.tool.excel.Cell.Formula;
import java.util.HashMap;
import java.util.Map;
import org.apache.poi.ss.util.CellReference;
import org.jspecify.annotations.Nullable;

/** Writes the rows of one sheet as XML, with formulas that still mean what they meant. */
final class RowXml {

  private static final int MOST_SHARED = 100_000;
  private static final String[] LETTERS = new String[256];

  static {
    for (int i = 1; i < LETTERS.length; i++) {
      LETTERS[i] = CellReference.convertNumToColString(i - 1);
    }
  }

  private final boolean styled;
  private final Map<Integer, Shared> shared = new HashMap<>();
  private final StringBuilder out = new StringBuilder(4096);

  /** A formula whose text other cells take over. */
  private record Shared(String text, int row, int column) {}

  /**
   * @param styled false when the workbook has no styles to point to
   */
  RowXml(boolean styled) {
    this.styled = styled;
  }

  /** Must see each row before it is written, also those that are not: formulas are shared. */
  void seen(SheetRow row) {
    for (var cell : row.cells) {
      var formula = cell.formula();
      if (formula != null && formula.group() >= 0 && !formula.text().isEmpty()) {
        if (shared.size() < MOST_SHARED) {
          shared.put(formula.group(), new Shared(formula.text(), row.number, cell.column()));
        }
      }
    }
  }

  /** The row where it stood. */
  String same(SheetRow row) {
    return write(row, row.number, row.look + row.state, false);
  }

  /** The row at another place, among others than before. */
  String moved(SheetRow row, int to) {
    return write(row, to, row.look, true);
  }

  private String write(SheetRow row, int to, String attributes, boolean ownRowOnly) {
    out.setLength(0);
    out.append("<row r=\"").append(to).append('"').append(look(attributes)).append('>');
    for (var cell : row.cells) {
      cell(row, cell, to, ownRowOnly);
    }
    return out.append("</row>").toString();
  }

  private String look(String attributes) {
    return styled ? attributes : attributes.replaceAll(" (s|customFormat)=\"[^\"]*\"", "");
  }

  private void cell(SheetRow row, Cell cell, int to, boolean ownRowOnly) {
    out.append("<c r=\"").append(letters(cell.column())).append(to).append('"');
    if (styled && cell.style() >= 0) {
      out.append(" s=\"").append(cell.style()).append('"');
    }
    var value = cell.value();
    var formula = formula(row, cell, to, ownRowOnly);
    if (value == null && formula == null) {
      out.append("/>");
      return;
    }
    if (formula == null && cell.type().equals("str")) {
      text(RichText.of(value == null ? "" : value));
    } else if (cell.type().equals("s")) {
      text(value == null ? "" : value);
    } else {
      plain(cell.type(), value, formula);
    }
  }

  private void text(String xml) {
    out.append(" t=\"inlineStr\"><is>").append(xml).append("</is></c>");
  }

  private void plain(String type, @Nullable String value, @Nullable String formula) {
    if (!type.equals("n")) {
      Xml.attribute(out, "t", type);
    }
    out.append('>');
    if (formula != null) {
      out.append("<f>");
      Xml.text(out, formula);
      out.append("</f>");
    }
    if (value != null) {
      out.append("<v>");
      Xml.text(out, value);
      out.append("</v>");
    }
    out.append("</c>");
  }

  private @Nullable String formula(SheetRow row, Cell cell, int to, boolean ownRowOnly) {
    var formula = cell.formula();
    var text = formula == null ? null : text(row, cell, formula);
    if (text == null || text.isEmpty()) {
      return null;
    }
    if (ownRowOnly) {
      return FormulaText.moved(text, row.number, to);
    }
    return FormulaText.ofOneSheet(text) ? text : null;
  }

  private @Nullable String text(SheetRow row, Cell cell, Formula formula) {
    return switch (formula.kind()) {
      case "normal" -> formula.text();
      case "shared" -> {
        var first = shared.get(formula.group());
        yield first == null
            ? null
            : FormulaText.shared(
                first.text(), row.number - first.row(), cell.column() - first.column());
      }
      default -> null;
    };
  }

  static String letters(int column) {
    return column < LETTERS.length
        ? LETTERS[column]
        : CellReference.convertNumToColString(column - 1);
  }

  /** Number of a column, from 1, by the letters that a reference begins with; 0 without letters. */
  static int column(String reference) {
    int column = 0;
    for (int i = 0; i < Math.min(reference.length(), 4); i++) {
      char c = reference.charAt(i);
      if (c < 'A' || c > 'Z') {
        break;
      }
      column = column * 26 + c - 'A' + 1;
    }
    return column;
  }
}
