package io.fengyu.agent.tool.excel;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a run has told the plugin so far.
 *
 * @param sheets those that become files, by sheet; empty for all
 * @param entries the rules of a complex split
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record ExcelSettings(
    State state,
    @Nullable Mode mode,
    @Nullable String filePath,
    List<String> sheets,
    @Nullable String splitSheet,
    @Nullable String splitColumn,
    int headerRow,
    List<SplitRule> entries,
    @Nullable String error,
    @Nullable ObjectNode result) {

  static final ExcelSettings NONE =
      new ExcelSettings(State.IDLE, null, null, List.of(), null, null, 0, List.of(), null, null);

  enum Mode {
    BY_SHEET,
    BY_COLUMN,
    COMPLEX
  }

  enum State {
    IDLE,
    CONFIGURED,
    RUNNING,
    DONE,
    FAILED,
    CANCELLED
  }

  ExcelSettings running() {
    return with(State.RUNNING, null, null);
  }

  ExcelSettings done(ObjectNode made) {
    return with(State.DONE, null, made);
  }

  ExcelSettings failed(String why) {
    return with(State.FAILED, why, null);
  }

  ExcelSettings cancelled() {
    return with(State.CANCELLED, null, null);
  }

  ExcelSettings complex(@Nullable String file, List<SplitRule> rules) {
    return new ExcelSettings(
        rules.isEmpty() ? State.IDLE : State.CONFIGURED,
        Mode.COMPLEX,
        file,
        List.of(),
        null,
        null,
        0,
        rules,
        null,
        null);
  }

  private ExcelSettings with(State next, @Nullable String why, @Nullable ObjectNode made) {
    return new ExcelSettings(
        next, mode, filePath, sheets, splitSheet, splitColumn, headerRow, entries, why, made);
  }
}
