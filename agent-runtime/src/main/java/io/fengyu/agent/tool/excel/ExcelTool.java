package io.fengyu.agent.tool.excel;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fengyu.agent.tool.Declaration;
import io.fengyu.agent.tool.Declaration.Field;
import io.fengyu.agent.tool.Tool;
import io.fengyu.agent.tool.ToolCall;
import io.fengyu.agent.tool.ToolException;
import io.fengyu.agent.tool.ToolSpec;
import java.io.EOFException;
import java.io.IOException;
import java.util.zip.ZipException;
import org.apache.poi.openxml4j.exceptions.OpenXML4JException;
import org.apache.poi.util.DefaultTempFileCreationStrategy;
import org.apache.poi.util.TempFile;
import org.jboss.logging.Logger;
import org.xml.sax.SAXException;

/** What the tools of the family share: a JSON result, and failures in words instead of traces. */
abstract class ExcelTool implements Tool {

  private static final Logger LOG = Logger.getLogger(ExcelTool.class);

  private final ToolSpec spec;

  ExcelTool(ToolSpec spec) {
    this.spec = spec;
  }

  static Declaration declare(String name, String description) {
    return Declaration.of(name, description)
        .plugin(ExcelPlugin.ID)
        .out(
            Field.required("success", "boolean", "False when nothing was done."),
            Field.optional("summary", "string", "What was done, in a sentence."),
            Field.optional("error", "string", "Why it was not done."));
  }

  @Override
  public final ToolSpec spec() {
    return spec;
  }

  @Override
  public final String call(ToolCall call) throws Exception {
    var memory = ExcelMemory.of(call);
    var stop = new CallStop(call, memory);
    try {
      return (heavy()
              ? HeavyWork.run(call, stop, () -> answered(call, memory, stop))
              : answered(call, memory, stop))
          .toString();
    } catch (Stop.Stopped e) {
      throw new InterruptedException("the call was cancelled");
    } catch (ToolException | IOException | SAXException | OpenXML4JException e) {
      return failed(explain(e)).toString();
    } catch (RuntimeException e) {
      if (!fromPoi(e)) {
        throw e;
      }
      LOG.infof(e, "A workbook could not be understood");
      return failed("the workbook is damaged or of an unknown kind").toString();
    }
  }

  /** What POI moves out of memory lies with the run, not in a directory of all users. */
  private ObjectNode answered(ToolCall call, ExcelMemory memory, CallStop stop) throws Exception {
    TempFile.setThreadLocalTempFileCreationStrategy(
        new DefaultTempFileCreationStrategy(memory.temporary().toFile()));
    try {
      return answer(call, memory, stop);
    } finally {
      TempFile.setThreadLocalTempFileCreationStrategy(null);
    }
  }

  /** True when it reads through whole workbooks. */
  boolean heavy() {
    return false;
  }

  abstract ObjectNode answer(ToolCall call, ExcelMemory memory, CallStop stop) throws Exception;

  static ObjectNode success(String summary) {
    return JsonNodeFactory.instance.objectNode().put("success", true).put("summary", summary);
  }

  static ObjectNode failed(String error) {
    return JsonNodeFactory.instance.objectNode().put("success", false).put("error", error);
  }

  /** What went wrong, for the one who called. */
  static String explain(Exception e) {
    return switch (e) {
      case ToolException told -> String.valueOf(told.getMessage());
      case GuardedZip.ZipBombException bomb -> String.valueOf(bomb.getMessage());
      case ZipException zip -> "the workbook is damaged: it is no complete zip file";
      case EOFException end -> "the workbook is damaged: it ends too early";
      case SAXException xml -> "the workbook is damaged: " + xml.getMessage();
      case OpenXML4JException opc -> "the file is no Excel workbook, or a damaged one";
      default -> "the file could not be read or written: " + e.getMessage();
    };
  }

  // The library reports some kinds of damage as unchecked exceptions of its own, or of the code it
  // stumbles in; those of our code are mistakes and must show.
  private static boolean fromPoi(RuntimeException e) {
    var at = e.getStackTrace();
    for (int i = 0; i < at.length && i < 12; i++) {
      if (at[i].getClassName().startsWith("io.fengyu.")) {
        return i > 0 && !at[0].getClassName().startsWith("java.");
      }
      if (at[i].getClassName().startsWith("org.apache.")) {
        return true;
      }
    }
    return false;
  }
}
