package io.fengyu.bench;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** Rows of figures, printed in columns that fit: the first to the left, the others to the right. */
final class Table {

  private final PrintStream out;
  private final List<List<String>> rows = new ArrayList<>();

  Table(PrintStream out, String... columns) {
    this.out = out;
    rows.add(List.of(columns));
  }

  /** Adds a row; numbers get as many digits as make sense at their size. */
  Table row(Object... cells) {
    if (cells.length != rows.getFirst().size()) {
      throw new IllegalArgumentException("A row needs " + rows.getFirst().size() + " cells");
    }
    rows.add(Arrays.stream(cells).map(Table::text).toList());
    return this;
  }

  void print() {
    List<Integer> widths =
        IntStream.range(0, rows.getFirst().size())
            .mapToObj(column -> rows.stream().mapToInt(r -> r.get(column).length()).max().orElse(0))
            .toList();
    rows.forEach(row -> out.println(line(row, widths)));
  }

  private static String line(List<String> row, List<Integer> widths) {
    var line = new StringBuilder();
    for (int i = 0; i < row.size(); i++) {
      String format = (i == 0 ? "%-" : "  %") + Math.max(1, widths.get(i)) + "s";
      line.append(format.formatted(row.get(i)));
    }
    return line.toString().stripTrailing();
  }

  private static String text(Object cell) {
    return cell instanceof Double number ? number(number) : cell.toString();
  }

  private static String number(double number) {
    double size = Math.abs(number);
    String format = size >= 100 ? "%,.0f" : size >= 10 ? "%.1f" : size >= 1 ? "%.2f" : "%.3f";
    return String.format(Locale.ROOT, format, number);
  }
}
