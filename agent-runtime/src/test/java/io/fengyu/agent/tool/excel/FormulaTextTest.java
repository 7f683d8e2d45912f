package io.fengyu.agent.tool.excel;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FormulaTextTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "D5*E5|D9*E9",
        "IF($B5>=1.5E3,\"A5 \"\"x\"\"\",LOG10(C5))|IF($B9>=1.5E3,\"A5 \"\"x\"\"\",LOG10(C9))",
        "SUM(A5:C5)|SUM(A9:C9)",
        "TODAY()|TODAY()",
        "A5&TRUE|A9&TRUE"
      })
  void aFormulaOverItsOwnRowMovesWithIt(String formula, String moved) {
    assertThat(FormulaText.moved(formula, 5, 9)).isEqualTo(moved);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "D4*2",
        "D$5*2",
        "SUM(D:D)",
        "SUM(5:5)",
        "Sheet2!A5",
        "'My sheet'!A5",
        "Rate*D5",
        "INDIRECT(\"A5\")",
        "OFFSET(A5,1,0)",
        "Table1[Total]",
        "ROW()",
        "\"open",
        "A5#"
      })
  void aFormulaThatLooksElsewhereIsNotMoved(String formula) {
    assertThat(FormulaText.moved(formula, 5, 9)).isNull();
  }

  @ParameterizedTest
  @CsvSource({"A1+$B1+C$1,B3+$B3+D$1", "SUM(A1:B2),SUM(B3:C4)"})
  void aSharedFormulaIsReadFromItsFirstCell(String formula, String shared) {
    assertThat(FormulaText.shared(formula, 2, 1)).isEqualTo(shared);
  }
}
