package io.fengyu.agent.guard.shell;

import java.util.ArrayList;
import java.util.List;

/** Commands that the words of a program hold. */
final class Found {

  final List<String> scripts = new ArrayList<>();
  final List<List<Word>> commands = new ArrayList<>();
  boolean opaque;

  /** The value of an option that is run as a command line. */
  void value(String script) {
    opaque = true;
    scripts.add(script);
  }
}
