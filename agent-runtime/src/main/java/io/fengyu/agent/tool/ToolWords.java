package io.fengyu.agent.tool;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Texts about a tool in the languages that its provider knows; models never see them. */
public interface ToolWords {

  /** Its description in one of the languages asked for; null when it stays as declared. */
  @Nullable String description(List<Locale> languages);

  /** Its canvas node, with texts in one of the languages asked for. */
  ObjectNode flowNode(ObjectNode declared, List<Locale> languages);
}
